import { asBuffer, integerArray, type Database } from '@tetrad/db';
import { columnsOf, type SqlRow } from '@tetrad/db/client';
import { keyToBytes } from '../../keys/key-pair.js';
import type { MessagePair } from '../../message/party-message.js';
import { outgoingMessage } from '../generated/tables.js';

const { table, columns } = outgoingMessage;
const { id, own, other, order } = columns;
const FIELDS = ['id', 'kind', 'body'] as const;

const NEXT = `
  WITH forgotten AS (DELETE FROM ${table} WHERE ${id} = ANY($3::bigint[]))
  SELECT ${columnsOf(outgoingMessage, FIELDS)}, "${order}" FROM ${table}
   WHERE ${own} = $1 AND ${other} = $2 AND ${id} <> ALL($3::bigint[]) ORDER BY ${id} LIMIT 1`;

/** A message that waits, as it is stored. */
export type NextMessage = SqlRow<typeof outgoingMessage, (typeof FIELDS)[number] | 'order'>;

/**
 * Forgets messages that the recipient's manager has stored, and reads the one of the pair that waits longest of the others.
 *
 * @param delivered - ids of messages
 */
export async function nextMessage(
  { pool }: Pick<Database, 'pool'>,
  { from, to }: MessagePair,
  delivered: readonly bigint[],
): Promise<NextMessage | undefined> {
  const values = [asBuffer(keyToBytes(from)), asBuffer(keyToBytes(to)), integerArray(8, delivered)];
  return (await pool.query<NextMessage>({ name: 'next-message', text: NEXT, values })).rows[0];
}
