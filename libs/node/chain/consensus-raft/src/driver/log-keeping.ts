import type { Logger } from '@tetrad/types';
import type { BlockLog } from '../log/block-log.js';
import type { LogBlock } from '../log/log-block.js';
import type { LogKeys } from '../log/log-keys.js';
import { decodeNumber, encodeNumber } from '../log/log-records.js';
import { prefixEnd, type LogStore } from '../log/log-store.js';
import type { LogFollower } from './log-follower.js';

/** How much of the chain is kept in etcd. */
export interface LogLimits {
  /** Newest blocks that are always kept. */
  readonly keptBlocks: number;
  /** Blocks between two prunings, and between two acknowledgements of a member. */
  readonly blocksBetween: number;
}

export const DEFAULT_LOG_LIMITS: LogLimits = { keptBlocks: 4_096, blocksBetween: 256 };

export interface LogKeepingOptions<Block extends LogBlock> {
  readonly store: LogStore;
  readonly keys: LogKeys;
  readonly log: BlockLog<Block>;
  readonly follower: Pick<LogFollower<Block>, 'view' | 'hears'>;
  readonly chain: { head(): LogBlock };
  readonly nodeId: string;
  readonly limits: LogLimits;
  readonly logger: Logger;
}

/**
 * Keeps the log within the quota of etcd: each member acknowledges how far its chain is stored, and the minter deletes
 * blocks that all of them have. Blocks are kept for a member that is down until it is back or is removed.
 */
export class LogKeeping<Block extends LogBlock> {
  private acknowledged = -1;
  private looked = 0;
  private pruned = 0;
  /** Revision found at the last check; all followers of the log are past it. */
  private compactTo: bigint | undefined;
  private isBusy = false;
  private failure: string | undefined;

  constructor(private readonly options: LogKeepingOptions<Block>) {}

  /** Why the log grows; undefined when the last pruning succeeded. */
  trouble(): string | undefined {
    return this.failure === undefined ? undefined : `the log in etcd could not be pruned: ${this.failure}`;
  }

  /** Called when the head may have moved. */
  consider(): void {
    const { chain, limits, follower } = this.options;
    const { number } = chain.head().header;
    const isDue = number >= this.acknowledged + limits.blocksBetween || this.acknowledged === -1;
    if (this.isBusy || !follower.hears || !isDue) return;
    const own = follower.view.memberOfNode(this.options.nodeId);
    if (own === undefined) return;
    this.isBusy = true;
    void this.keep(own.raftId, number).finally(() => (this.isBusy = false));
  }

  private async keep(raftId: number, number: number): Promise<void> {
    const { store, keys, follower, limits } = this.options;
    try {
      const key = keys.acknowledged(raftId);
      await store.transact({ compare: [], success: [{ kind: 'put', key, value: encodeNumber(number) }] });
      this.acknowledged = number;
      const isMinter = follower.view.minter?.raftId === raftId;
      if (!isMinter || number < this.looked + limits.blocksBetween) return;
      this.looked = number;
      await this.prune(number);
      this.failure = undefined;
    } catch (error) {
      // Foreign entries fail it too; the chain goes on without pruning.
      this.failure = error instanceof Error ? error.message : String(error);
    }
  }

  private async prune(number: number): Promise<void> {
    const { log, follower, limits, logger } = this.options;
    const below = Math.min(await this.lowestOfMembers(), number - limits.keptBlocks);
    const compactTo = this.compactTo;
    this.compactTo = follower.view.revision;
    if (below <= this.pruned || compactTo === undefined) return;
    await log.prune(below, compactTo);
    logger.info('blocks that every member has are no longer in the log in etcd', { below });
    this.pruned = below;
  }

  /**
   * The number of the newest block that all members have stored.
   * @throws LogError `foreign`, EtcdError
   */
  private async lowestOfMembers(): Promise<number> {
    const { store, keys, follower } = this.options;
    const { entries } = await store.range({
      key: keys.acknowledgements,
      rangeEnd: prefixEnd(keys.acknowledgements),
    });
    const stored = new Map(entries.map(({ key, value }) => [key, decodeNumber(key, value)]));
    const ofMembers = follower.view.members().map(({ raftId }) => stored.get(keys.acknowledged(raftId)) ?? 0);
    return Math.min(...ofMembers);
  }
}
