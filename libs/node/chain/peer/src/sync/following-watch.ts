import type { Clock } from '@tetrad/types';

/** How a node stands among its peers. */
export interface Standing {
  /** Nodes that it is to be connected with or has been. */
  readonly known: number;
  readonly connected: number;
  readonly head: number;
  /** The newest block that peers vouch for; undefined while none has announced one. */
  readonly newest: number | undefined;
}

export interface FollowingWatchOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** Blocks by which a head may be behind and still be fresh. */
  readonly maxBlocksBehind: number;
  readonly standing: () => Standing;
}

/** Within this time after the start a node usually is connected; waiting longer would not help. */
const CONNECTING_MS = 30_000;

/** Whether a node follows the chain of its peers. */
export class FollowingWatch {
  private readonly startMs: number;
  private wasConnected = false;

  constructor(private readonly options: FollowingWatchOptions) {
    this.startMs = options.clock.now();
  }

  /** Why reads would get old state; undefined when the head is fresh, as far as the peers show. */
  lag(): string | undefined {
    const { head, newest } = this.options.standing();
    if (newest === undefined || newest - head <= this.options.maxBlocksBehind) return undefined;
    return `at block ${head}, ${newest - head} blocks behind its peers`;
  }

  /** Why the peers show nothing. `isStarting` when they still may; later, the node cannot tell a lost network from a lost self. */
  isolation(): { readonly isStarting: boolean; readonly reason: string } | undefined {
    const { known, connected } = this.options.standing();
    this.wasConnected ||= connected > 0;
    if (connected > 0 || known === 0) return undefined;
    const isStarting = !this.wasConnected && this.options.clock.now() - this.startMs < CONNECTING_MS;
    return { isStarting, reason: `connected to no other node, of ${known} that are known` };
  }
}
