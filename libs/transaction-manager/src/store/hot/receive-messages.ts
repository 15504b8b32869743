import { asBuffer, byteaArray, integerArray, type Database } from '@tetrad/db';
import { namesOf } from '@tetrad/db/client';
import { keyToBytes } from '../../keys/key-pair.js';
import type { MessagePair, OrderedMessage } from '../../message/party-message.js';
import { incomingMessage, messagePair } from '../generated/tables.js';

/** Bounds of what waits for our node. */
export interface UnreadBounds {
  /** Maximum number of messages of the sender. */
  readonly ofOne: number;
  /** Maximum number of messages of all. */
  readonly ofAll: number;
  /** Maximum number of pairs of keys with which another one is begun. */
  readonly pairs: number;
}

/** A message of another party, with what tells it from others of its sequence. */
export interface TaggedMessage extends OrderedMessage {
  readonly tag: number;
}

const { own, other, lastReceived } = messagePair.columns;
const { table, columns } = incomingMessage;
const OF_PAIR = `${own} = $1 AND ${other} = $2`;
const FIELDS = ['own', 'other', 'tag', 'kind', 'body'] as const;

/** What there is of the rows, but no more than the bound needs. */
const countOf = (rows: string, bound: string) =>
  `(SELECT count(*) FROM (SELECT FROM ${rows} LIMIT ${bound}) AS found)`;

/**
 * The update locks the row of the pair: of two requests with one message the second waits for the first, finds that the pair has moved
 * on, stores nothing and has to be repeated.
 */
const RECEIVE = `
  WITH fresh AS (
    SELECT * FROM unnest($3::bigint[], $4::int[], $5::text[], $6::bytea[]) AS one (place, tag, kind, body)
     WHERE place > coalesce((SELECT ${lastReceived} FROM ${messagePair.table} WHERE ${OF_PAIR}), 0)
  ), bounded AS (
    SELECT CASE
      WHEN count(*) = 0 THEN 'stored'
      WHEN $9::int IS NOT NULL AND NOT EXISTS (SELECT FROM ${messagePair.table} WHERE ${OF_PAIR})
       AND ${countOf(messagePair.table, '$9::int')} >= $9::int THEN 'full'
      WHEN ${countOf(`${table} WHERE ${columns.other} = $2`, '$7::int')} + count(*) > $7::int THEN 'full'
      WHEN ${countOf(table, '$8::int')} + count(*) > $8::int THEN 'full'
      ELSE 'room' END AS outcome
      FROM fresh
  ), moved AS (
    INSERT INTO ${messagePair.table} AS pair (${own}, ${other}, ${lastReceived})
    SELECT $1, $2, max(place) FROM fresh HAVING (SELECT outcome FROM bounded) = 'room'
    ON CONFLICT (${own}, ${other}) DO UPDATE SET ${lastReceived} = excluded.${lastReceived}
     WHERE pair.${lastReceived} < (SELECT min(place) FROM fresh)
    RETURNING ${own}
  ), stored AS (
    INSERT INTO ${table} (${namesOf(incomingMessage, FIELDS)})
    SELECT $1, $2, tag, kind, body FROM fresh WHERE EXISTS (SELECT FROM moved) ORDER BY place
  )
  SELECT CASE WHEN outcome <> 'room' THEN outcome WHEN EXISTS (SELECT FROM moved) THEN 'stored' ELSE 'again' END AS outcome
    FROM bounded`;

/**
 * Stores messages for our node and the order of the last one, in one statement: all that were not stored before, or none.
 *
 * @param pair - from another party to ours
 * @param messages - of the pair, in the order of their orders
 * @returns `full` without room; `again` where another request has stored one of the pair meanwhile
 */
export async function receiveMessages(
  { pool }: Pick<Database, 'pool'>,
  { from, to }: MessagePair,
  messages: readonly TaggedMessage[],
  { ofOne, ofAll, pairs }: UnreadBounds,
): Promise<'stored' | 'full' | 'again'> {
  const orders = messages.map(({ order }) => order);
  const tags = messages.map(({ tag }) => tag);
  const kinds = messages.map(({ kind }) => kind);
  const bodies = byteaArray(messages.map(({ body }) => body));
  const ends = [asBuffer(keyToBytes(to)), asBuffer(keyToBytes(from))];
  const bounds = [ofOne, ofAll, Number.isFinite(pairs) ? pairs : null];
  const { rows } = await pool.query<{ outcome: 'stored' | 'full' | 'again' }>({
    name: 'receive-messages',
    text: RECEIVE,
    values: [...ends, integerArray(8, orders), integerArray(4, tags), kinds, bodies, ...bounds],
  });
  return rows[0]?.outcome ?? 'again';
}
