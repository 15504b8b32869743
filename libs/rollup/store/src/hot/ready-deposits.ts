import { columnsOf, type SqlRow } from '@tetrad/db';
import { DEPOSIT_FIELDS, parseDeposit, type Deposit } from '../deposit-rows.js';
import { deposit } from '../generated/tables.js';
import type { Statements } from '../statements.js';

const { index } = deposit.columns;
const READY = `
  SELECT ${columnsOf(deposit, DEPOSIT_FIELDS)} FROM ${deposit.table} WHERE ${index} >= $1 ORDER BY ${index} LIMIT $2`;

/** Deposits from an index on, in the order of the contract. */
export async function readyDeposits(
  statements: Statements,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<Deposit[]> {
  const { rows } = await statements.query<SqlRow<typeof deposit, (typeof DEPOSIT_FIELDS)[number]>>({
    name: 'ready-deposits',
    text: READY,
    values: [from, limit],
  });
  return rows.map(parseDeposit);
}
