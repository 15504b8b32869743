import { addressFromBytes } from '@tetrad/types';
import type pg from 'pg';
import type { PlacedTransaction, TransactionPlace } from './backup-rows.js';

/** Transactions that have no result in private state: public ones, and private ones of which this node was no party. */
export class UnexecutedRows {
  constructor(private readonly queries: Pick<pg.Pool, 'query'>) {}

  /** Number of the last block that private state followed; undefined on a node without private state. */
  async findPrivateHead(): Promise<number | undefined> {
    const { rows } = await this.queries.query<{ number: number }>('SELECT number FROM private_head');
    return rows[0]?.number;
  }

  /** Those after a position up to a block, in the order of the chain. In: most — rows */
  async list(after: TransactionPlace, upTo: number, most: number): Promise<PlacedTransaction[]> {
    const { rows } = await this.queries.query<{ number: number; index: number; raw: Buffer; sender: Buffer }>(
      {
        name: 'list-unexecuted',
        text: `SELECT block_number AS number, index, raw, sender FROM transaction AS public
              WHERE (block_number, index) > ($1, $2) AND block_number <= $3 AND NOT EXISTS (
                SELECT FROM private_receipt AS executed
                 WHERE executed.block_number = public.block_number AND executed.index = public.index)
              ORDER BY block_number, index LIMIT $4`,
        values: [after.number, after.index, upTo, most],
      },
    );
    return rows.map(({ sender, ...row }) => ({ ...row, sender: addressFromBytes(sender) }));
  }
}
