import { columnsOf, type SqlRow } from '@tetrad/db';
import { DEPOSIT_FIELDS, parseDeposit, type Deposit } from '../deposit-rows.js';
import { deposit } from '../generated/tables.js';
import type { Statements } from '../statements.js';

const FIELDS = [...DEPOSIT_FIELDS, 'batchIndex'] as const;
const LIST = `
  SELECT ${columnsOf(deposit, FIELDS)} FROM ${deposit.table} WHERE ${deposit.columns.batchHeight} = $1`;

/** The deposits of a batch with their places, in no order. */
export async function batchDeposits(
  statements: Statements,
  height: number,
): Promise<{ readonly place: number; readonly deposit: Deposit }[]> {
  const { rows } = await statements.query<SqlRow<typeof deposit, (typeof FIELDS)[number]>>({
    name: 'batch-deposits',
    text: LIST,
    values: [height],
  });
  return rows.map((row) => ({ place: row.batchIndex as number, deposit: parseDeposit(row) }));
}
