import type { WorldState } from '@tetrad/node-execution';
import type { Block } from '@tetrad/types';
import type { PoolChain } from './pool-chain.js';

/** The state at the head, to read: opened once per head. */
export class HeadWorld {
  private opened: { readonly head: Block; readonly world: Promise<WorldState> } | undefined;

  constructor(private readonly chain: Pick<PoolChain, 'head' | 'worldAt'>) {}

  open(): Promise<WorldState> {
    const head = this.chain.head();
    if (this.opened?.head !== head) {
      const world = this.chain.worldAt(head);
      this.opened = { head, world };
      // A failure reaches the current waiters; the next caller tries again.
      world.catch(() => {
        if (this.opened?.world === world) this.opened = undefined;
      });
    }
    return this.opened.world;
  }
}
