import { lease } from '../generated/tables.js';
import type { Statements } from '../statements.js';

const { table, columns } = lease;
const IS_LEASED = `SELECT 1 FROM ${table} WHERE ${columns.name} = $1 AND ${columns.expiresAt} >= clock_timestamp()`;

/** Whether a process has the lease at the moment, by the clock of the database. */
export async function isLeased(from: Statements, name: string): Promise<boolean> {
  return (await from.query({ name: 'is-leased', text: IS_LEASED, values: [name] })).rowCount === 1;
}
