import { asBuffer, columnsOf, type SqlRow } from '@tetrad/db';
import { hashToBytes, type Hash } from '@tetrad/types';
import { block, chain } from '../generated/tables.js';
import type { Statements } from '../statements.js';

/** The blocks that are stored in one transaction. */
export interface StoredRange {
  readonly first: number;
  readonly last: number;
  readonly parentHash: Hash;
}

const { table, columns } = chain;
const MOVE = `
  UPDATE ${table} SET ${columns.headNumber} = $1::bigint
   WHERE ${columns.id} = 1 AND ${columns.headNumber} = $2::bigint - 1
     AND EXISTS (SELECT FROM ${block.table}
                  WHERE ${block.columns.number} = $2::bigint - 1 AND ${block.columns.hash} = $3)
  RETURNING ${columnsOf(chain, ['stateTable'])}`;

/**
 * Moves the head to the last of the blocks.
 *
 * @returns the tables of the state as of this transaction; undefined when the first block does not follow the head
 */
export async function moveHead(
  statements: Statements,
  { first, last, parentHash }: StoredRange,
): Promise<SqlRow<typeof chain, 'stateTable'> | undefined> {
  const values = [last, first, asBuffer(hashToBytes(parentHash))];
  const { rows } = await statements.query<SqlRow<typeof chain, 'stateTable'>>({
    name: 'move-head',
    text: MOVE,
    values,
  });
  return rows[0];
}
