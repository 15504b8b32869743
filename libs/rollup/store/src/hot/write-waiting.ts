import { operation } from '../generated/tables.js';
import type { Statements } from '../statements.js';

const { table, columns } = operation;
const WRITE = `UPDATE ${table} SET ${columns.waiting} = true WHERE ${columns.sequence} = ANY($1::bigint[])`;

/** Operations that wait for one with a lower nonce are not read again until that is there. */
export async function writeWaiting(statements: Statements, sequences: readonly number[]): Promise<void> {
  if (sequences.length === 0) return;
  await statements.query({ name: 'write-waiting', text: WRITE, values: [sequences] });
}
