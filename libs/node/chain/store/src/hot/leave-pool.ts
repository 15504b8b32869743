import { byteaArray } from '@tetrad/db';
import { hashToBytes, type Hash } from '@tetrad/types';
import { poolTransaction } from '../generated/tables.js';
import type { Statements } from '../statements.js';

const { table, columns } = poolTransaction;
const LEAVE = `DELETE FROM ${table} WHERE ${columns.hash} = ANY($1::bytea[])`;

/** Removes mined transactions from the pool's journal, which no longer needs them. */
export async function leavePool(statements: Statements, hashes: readonly Hash[]): Promise<void> {
  const values = [byteaArray(hashes.map(hashToBytes))];
  await statements.query({ name: 'leave-pool', text: LEAVE, values });
}
