import type { Database } from '@tetrad/db';
import { namesOf, type SqlRow } from '@tetrad/db/client';
import { outgoingMessage } from '../generated/tables.js';

const PAIR = ['own', 'other'] as const;
const NAMES = namesOf(outgoingMessage, PAIR);
const WAITING = `
  SELECT ${NAMES} FROM ${outgoingMessage.table} GROUP BY ${NAMES} ORDER BY min(${outgoingMessage.columns.id}) LIMIT $1`;

/** A pair for which messages wait. */
export type WaitingPair = SqlRow<typeof outgoingMessage, (typeof PAIR)[number]>;

/** Reads pairs for which messages wait, those that wait longest first. */
export async function waitingPairs(
  { pool }: Pick<Database, 'pool'>,
  max: number,
): Promise<readonly WaitingPair[]> {
  return (await pool.query<WaitingPair>({ name: 'waiting-pairs', text: WAITING, values: [max] })).rows;
}
