import { columnsOf, qualified, type SqlRow } from '@tetrad/db/client';
import type pg from 'pg';
import { nonceEntry, nonceSequence } from '../generated/tables.js';
import { FLOOR } from '../nonce-floor.js';

const FIELDS = ['nextNonce', 'minedCount', 'genesis'] as const;

/** Where a sequence stands, as it is read. */
export type PositionRow = SqlRow<typeof nonceSequence, (typeof FIELDS)[number]> & {
  readonly floor: string;
  readonly explained: number;
};

const entry = nonceEntry.columns;
const READ = `
  SELECT ${columnsOf(nonceSequence, FIELDS)}, ${FLOOR} AS floor,
         (SELECT count(*) FROM ${nonceEntry.table}
           WHERE ${entry.sequenceId} = $1 AND ${entry.nonce} < $2
             AND ${entry.nonce} >= ${qualified(nonceSequence).columns.nextNonce}) AS explained
    FROM ${nonceSequence.table} WHERE ${nonceSequence.columns.id} = $1`;

/**
 * Reads the position of a sequence.
 * @param count - of the client
 */
export async function readPosition(pool: pg.Pool, sequenceId: number, count: bigint): Promise<PositionRow> {
  const values = [sequenceId, count.toString()];
  const { rows } = await pool.query<PositionRow>({ name: 'read-position', text: READ, values });
  return rows[0] as PositionRow;
}
