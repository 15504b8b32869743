import { RequestError, type LogFilter } from '@tetrad/types';

/**
 * Which blocks are here with their transactions, receipts and logs: all of them, unless the node joined by a state. Such a node has
 * headers alone of the blocks from 1 to the one before the oldest, which moves down while the past is filled in.
 */
export class BlockHorizon {
  private oldestBlock: number;

  /**
   * @param joined - the block whose state was taken from peers; undefined where all blocks were executed
   * @param oldest - the first block after block 0 that is here wholly; the one after the joined block when absent
   */
  constructor(
    readonly joined: number | undefined,
    oldest?: number,
  ) {
    this.oldestBlock = joined === undefined ? 1 : (oldest ?? joined + 1);
  }

  /** The first block after block 0 that is here with all that is in it; later ones are too. */
  get oldest(): number {
    return this.oldestBlock;
  }

  /** The blocks from the number on are here wholly now. */
  lowerTo(number: number): void {
    this.oldestBlock = Math.min(this.oldestBlock, number);
  }

  /** Whether only the header of the block is here. */
  isHeaderOnly(number: number): boolean {
    return number > 0 && number < this.oldestBlock;
  }

  /** @throws RequestError BLOCK_NOT_AVAILABLE */
  assertHere(number: number): void {
    if (this.isHeaderOnly(number)) throw this.refusal();
  }

  /** @throws RequestError BLOCK_NOT_AVAILABLE when logs of the range may be missing */
  assertLogsOf({ fromBlock, toBlock }: Pick<LogFilter, 'fromBlock' | 'toBlock'>): void {
    if (fromBlock < this.oldestBlock && toBlock > 0 && this.oldestBlock > 1) throw this.refusal();
  }

  private refusal(): RequestError {
    const { joined, oldestBlock } = this;
    // Tools look for geth's words. The text is the same for every block, so that it is logged once for each step of the fill.
    const text = `pruned history unavailable: not here, this node joined by state at block ${joined} and has transactions, receipts and logs from block ${oldestBlock} on`;
    return new RequestError('BLOCK_NOT_AVAILABLE', text, { joinedBlock: joined ?? null, oldestBlock });
  }
}
