import { asBuffer, integerArray, type Database } from '@tetrad/db';
import { namesOf, type SqlRow } from '@tetrad/db/client';
import { keyToBytes } from '../../keys/key-pair.js';
import type { MessagePair } from '../../message/party-message.js';
import { outgoingMessage } from '../generated/tables.js';

/** Which messages of a pair are read. */
export interface NextBounds {
  readonly max: number;
  /** Maximum number of bytes of all bodies. */
  readonly bytes: number;
}

const { table, columns } = outgoingMessage;
const { id, own, other, order, body } = columns;
const FIELDS = ['id', 'kind', 'body'] as const;
const NAMES = `${namesOf(outgoingMessage, FIELDS)}, "${order}"`;

const NEXT = `
  WITH forgotten AS (DELETE FROM ${table} WHERE ${id} = ANY($3::bigint[])),
  oldest AS (
    SELECT ${NAMES} FROM ${table} WHERE ${own} = $1 AND ${other} = $2 AND ${id} <> ALL($3::bigint[]) ORDER BY ${id} LIMIT $4
  ), summed AS (SELECT ${NAMES}, sum(octet_length(${body})) OVER (ORDER BY ${id}) AS bytes FROM oldest)
  SELECT ${NAMES} FROM summed WHERE bytes <= $5 ORDER BY ${id}`;

/** A message that waits, as it is stored. */
export type NextMessage = SqlRow<typeof outgoingMessage, (typeof FIELDS)[number] | 'order'>;

/**
 * Forgets messages that the recipient's manager has stored, and reads those of the pair that wait longest of the others.
 *
 * @param delivered - ids of messages
 */
export async function nextMessages(
  { pool }: Pick<Database, 'pool'>,
  { from, to }: MessagePair,
  delivered: readonly bigint[],
  { max, bytes }: NextBounds,
): Promise<readonly NextMessage[]> {
  const ends = [asBuffer(keyToBytes(from)), asBuffer(keyToBytes(to))];
  const values = [...ends, integerArray(8, delivered), max, bytes];
  return (await pool.query<NextMessage>({ name: 'next-messages', text: NEXT, values })).rows;
}
