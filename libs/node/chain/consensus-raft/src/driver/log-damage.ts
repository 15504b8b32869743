import type { Hash } from '@tetrad/types';
import type { BlockLog } from '../log/block-log.js';
import type { LogBlock } from '../log/log-block.js';
import { LogError } from '../log/log-error.js';
import type { LogKeys } from '../log/log-keys.js';
import type { Entry, LogStore } from '../log/log-store.js';

/** Damaged blocks that are remembered; more change nothing for the operator. */
const MAX_REMEMBERED = 64;

/**
 * Blocks of the log that another writer changed while this chain has them or does not need them yet. The chain goes on, since its
 * head is intact; nodes that join later will not get past such a block. Damage is over once the block is what was appended.
 */
export class LogDamage<Block extends LogBlock> {
  private readonly blocks = new Set<number>();

  constructor(
    private readonly options: {
      readonly store: LogStore;
      readonly keys: LogKeys;
      readonly log: BlockLog<Block>;
      readonly chain: { hashOf(number: number): Promise<Hash | undefined> };
    },
  ) {}

  /** What is damaged; undefined without any. */
  reason(): string | undefined {
    if (this.blocks.size === 0) return undefined;
    const more = this.blocks.size === 1 ? '' : ` (and ${this.blocks.size - 1} more)`;
    const lowest = Math.min(...this.blocks);
    return `block ${lowest} of the log in etcd is not what was appended: another writer changed it${more}`;
  }

  note(number: number): void {
    if (this.blocks.size < MAX_REMEMBERED) this.blocks.add(number);
  }

  clear(number: number): void {
    this.blocks.delete(number);
  }

  /**
   * Compares an entry with the block that this chain has.
   * @throws EtcdError
   */
  async compare(number: number, entry: Entry): Promise<void> {
    const { log, chain } = this.options;
    const block = await log.blockOf(entry).catch((error: unknown) => {
      if (!(error instanceof LogError)) throw error;
    });
    if (block !== undefined && block.hash === (await chain.hashOf(number))) this.clear(number);
    else this.note(number);
  }

  /**
   * Reads damaged blocks again, since changes may have been missed.
   * @param head - number of the log's
   * @throws EtcdError
   */
  async readAgain(head: number): Promise<void> {
    const { store, keys } = this.options;
    for (const number of [...this.blocks]) {
      const [entry] = (await store.range({ key: keys.block(number) })).entries;
      if (entry === undefined) this.clear(number);
      else if (number <= head) await this.compare(number, entry);
    }
  }
}
