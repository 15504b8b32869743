import type { Database } from '@tetrad/db';
import { lease } from '../generated/tables.js';
import type { LeaseClaim } from '../lease-rows.js';
import type { Statements } from '../statements.js';

const { table, columns } = lease;
const HOLD = `SELECT 1 FROM ${table} WHERE ${columns.name} = $1 AND ${columns.holder} = $2 FOR SHARE`;

/**
 * Keeps others from taking the lease until the transaction ends.
 *
 * @returns false when another process has it, so that the caller must not write
 */
export async function holdLease(within: Statements, { name, holder }: LeaseClaim): Promise<boolean> {
  return (await within.query({ name: 'hold-lease', text: HOLD, values: [name, holder] })).rowCount === 1;
}

/**
 * Does work that only the holder of a lease may do: until it ends no other process can take the lease, even when this
 * process is suspended meanwhile; the database ends the transaction when it takes too long.
 *
 * @param limitMs - how long the work may keep others from the lease
 * @returns undefined, and nothing is done, when another process holds the lease
 */
export function underLease<Result>(
  database: Database,
  { claim, limitMs }: { readonly claim: LeaseClaim; readonly limitMs: number },
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  return database.transaction(async (statements) => {
    await statements.query(`SET LOCAL idle_in_transaction_session_timeout = ${limitMs}`);
    return (await holdLease(statements, claim)) ? work() : undefined;
  });
}
