import { EtcdError } from '@tetrad/node-etcd';
import type { LogBlock } from '../log/log-block.js';
import { LogError } from '../log/log-error.js';
import type { LogView } from '../log/log-view.js';
import type { LogFollowerOptions } from './log-follower-options.js';
import type { LogGaps } from './log-gaps.js';

export interface LogRestoringOptions<Block extends LogBlock> extends Pick<
  LogFollowerOptions<Block>,
  'chain' | 'log' | 'logger'
> {
  readonly gaps: LogGaps;
}

/** Puts acknowledged blocks back that the log in etcd has lost, as the operator of this node has configured. */
export class LogRestoring<Block extends LogBlock> {
  constructor(private readonly options: LogRestoringOptions<Block>) {}

  /**
   * Blocks above the head first, then those that are missing below it.
   *
   * @param view - its head moves with each block and its revision does not: read it again before a watch
   * @param signal - ends the work after a block
   * @throws LogError, EtcdError
   */
  async restore(view: LogView, signal: AbortSignal): Promise<void> {
    if (view.head === undefined) return;
    await this.restoreEnd(view, view.head, signal);
    await this.fillGaps(view.head.number, signal);
  }

  /** Each block names the one before. */
  private async restoreEnd(
    view: LogView,
    from: NonNullable<LogView['head']>,
    signal: AbortSignal,
  ): Promise<void> {
    const { chain, log, logger } = this.options;
    const last = chain.head().header.number;
    if (from.number >= last) return;
    if ((await chain.hashOf(from.number)) !== from.hash)
      throw new LogError(
        'forked',
        `the log in etcd ends at block ${from.number}, which is another one in this chain`,
      );
    for (let number = from.number + 1; number <= last && !signal.aborted; number++) {
      const block = await chain.findBlock(number);
      if (block === undefined || !(await log.putBack(block)))
        throw new EtcdError(
          'rejected',
          `block ${number} could not be put back into the log; another node does so too`,
        );
      view.head = { number, hash: block.hash };
    }
    logger.warn('blocks of this chain were put back into the log in etcd', {
      from: from.number + 1,
      to: last,
    });
  }

  private async fillGaps(head: number, signal: AbortSignal): Promise<void> {
    const { chain, log, logger, gaps } = this.options;
    const filled: number[] = [];
    for (let gap = await gaps.search(head); gap !== undefined && !signal.aborted;) {
      const block = await chain.findBlock(gap.lowest);
      if (block === undefined) break;
      await log.fill(block);
      filled.push(gap.lowest);
      gap = await gaps.search(head);
    }
    if (filled.length === 0) return;
    const [lowest, highest] = [filled[0], filled.at(-1)];
    const values = { blocks: filled.length, lowest, highest };
    logger.warn('blocks that were missing in the log in etcd were put back', values);
  }
}
