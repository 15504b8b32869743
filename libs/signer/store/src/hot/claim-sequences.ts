import { columnsOf, qualified, type SqlRow } from '@tetrad/db/client';
import type pg from 'pg';
import { nonceEntry, nonceSequence, replica } from '../generated/tables.js';

const FIELDS = ['id', 'chainId', 'account', 'privacyGroup'] as const;

/** A nonce sequence as it is read. */
export type SequenceRow = SqlRow<typeof nonceSequence, (typeof FIELDS)[number]>;

const { table, columns } = nonceSequence;
/** The array and OFFSET 0 prevent a join: a planner that assumes an empty table would join by reading all of it. */
const CLAIM = `
  UPDATE ${table} SET ${columns.watcher} = $1, ${columns.watchedAt} = now()
   WHERE ${columns.id} = ANY(ARRAY(
           SELECT ${columns.id} FROM ${table}
            WHERE (${columns.watcher} IS NULL OR ${columns.watcher} = $1
                   OR ${columns.watcher} NOT IN (
                        SELECT ${replica.columns.id} FROM ${replica.table} WHERE ${replica.columns.aliveUntil} > now()))
              AND EXISTS (SELECT FROM ${nonceEntry.table}
                           WHERE ${nonceEntry.columns.sequenceId} = ${qualified(nonceSequence).columns.id}
                             AND ${nonceEntry.columns.state} <> 'free' OFFSET 0)
            ORDER BY ${columns.watchedAt} LIMIT $2 FOR UPDATE SKIP LOCKED))
  RETURNING ${columnsOf(nonceSequence, FIELDS)}`;

/**
 * Claims sequences.
 * @returns as `NonceSequenceStore.claim`
 */
export async function claimSequences(
  pool: pg.Pool,
  { watcher, limit }: { readonly watcher: string; readonly limit: number },
): Promise<readonly SequenceRow[]> {
  const statement = { name: 'claim-sequences', text: CLAIM, values: [watcher, limit] };
  return (await pool.query<SequenceRow>(statement)).rows;
}
