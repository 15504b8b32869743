import type { HeightContext } from '@tetrad/node-consensus-bft';
import type { Clock } from '@tetrad/types';
import type { BftChain } from './bft-chain.js';
import { dueTimes, heightContext, turnOf, type DueTimes } from './height-context.js';

interface HeightScheduleOptions extends BftChain {
  readonly clock: Clock;
  /** Time between blocks in place of that of the genesis file. */
  readonly blockPeriodMs?: number | undefined;
}

/** When the block after the head is due, from the turns of the blocks before it. */
export class HeightSchedule {
  private parentTurnMs: number;
  /** The times of the last context. */
  private next: DueTimes;

  /** @param hasWork - whether transactions wait for a block */
  constructor(
    private readonly options: HeightScheduleOptions,
    private readonly hasWork: () => boolean,
  ) {
    this.parentTurnMs = options.clock.now();
    this.next = this.times();
  }

  times(): DueTimes {
    const { blockPeriodMs } = this.options;
    return dueTimes(this.options, { blockPeriodMs }, this.parentTurnMs);
  }

  /** The consensus context of the block after the head. */
  context(): HeightContext {
    this.next = this.times();
    const { periodEndsMs, idleEndsMs } = this.next;
    const emptyEndsMs = this.hasWork() ? periodEndsMs : idleEndsMs;
    return heightContext(this.options, { periodEndsMs, idleEndsMs: emptyEndsMs });
  }

  /**
   * Counts the next period from the new head.
   * @param seenMs - when it was seen, by this node's clock, milliseconds since the epoch
   */
  onHead(seenMs: number): void {
    const { periodEndsMs, periodMs } = this.next;
    this.parentTurnMs = turnOf({ dueMs: periodEndsMs, seenMs }, periodMs);
  }
}
