import type pg from 'pg';
import type { PlacedTransaction, TransactionPlace } from './ledger-rows.js';
import { listUnexecuted } from './hot/list-placed.js';
import { findPrivateHead } from './hot/read-at-start.js';

/** Transactions that have no result in private state: public ones, and private ones of which this node was no party. */
export class UnexecutedRows {
  constructor(private readonly queries: Pick<pg.Pool, 'query'>) {}

  /** Number of the last block that private state followed; undefined on a node without private state. */
  async findPrivateHead(): Promise<number | undefined> {
    return (await findPrivateHead(this.queries))?.number;
  }

  /**
   * Those after a position up to a block, in the order of the chain.
   * @param most - rows
   */
  list(after: TransactionPlace, upTo: number, most: number): Promise<PlacedTransaction[]> {
    return listUnexecuted(this.queries, { after, upTo, most });
  }
}
