import { RequestError, type LogFilter } from '@tetrad/types';

/** Which blocks are here with their transactions, receipts and logs: all of them, unless the node joined by a state. */
export class BlockHorizon {
  /** @param joined - the block whose state was taken from peers; of block 1 to this one there are headers only */
  constructor(readonly joined: number | undefined) {}

  /** Whether only the header of the block is here. */
  isHeaderOnly(number: number): boolean {
    return this.joined !== undefined && number > 0 && number <= this.joined;
  }

  /** @throws RequestError BLOCK_NOT_AVAILABLE */
  assertHere(number: number): void {
    if (this.joined !== undefined && this.isHeaderOnly(number)) throw refusal(this.joined);
  }

  /** @throws RequestError BLOCK_NOT_AVAILABLE when logs of the range may be missing */
  assertLogsOf({ fromBlock, toBlock }: Pick<LogFilter, 'fromBlock' | 'toBlock'>): void {
    if (this.joined !== undefined && fromBlock <= this.joined && toBlock > 0) throw refusal(this.joined);
  }
}

function refusal(joined: number): RequestError {
  // Tools look for geth's words. The text is the same for every block, so that it is logged once.
  const text = `pruned history unavailable: not here, this node joined by state at block ${joined} and has the transactions, receipts and logs of later blocks only`;
  return new RequestError('BLOCK_NOT_AVAILABLE', text, { joinedBlock: joined });
}
