import { byteaArray, integerArray, type Database } from '@tetrad/db';
import { namesOf } from '@tetrad/db/client';
import { keyToBytes } from '../../keys/key-pair.js';
import type { PartyMessage } from '../../message/party-message.js';
import { messagePair, outgoingMessage } from '../generated/tables.js';

/** A message of our node, and how many of its pair may wait. */
export interface GivenMessage extends PartyMessage {
  readonly max: number;
}

const { own, other, lastSent } = messagePair.columns;
const waiting = outgoingMessage.columns;
const FIELDS = ['own', 'other', 'kind', 'body'] as const;

/**
 * The update locks the row of a pair, so that orders grow in the order of the rows. The count of what waits is of the moment at which
 * the statement began: where the row was changed since, nothing of the pair is stored, and the statement has to be repeated.
 */
const TAKE = `
  WITH given AS (
    SELECT *, row_number() OVER (PARTITION BY own, other ORDER BY place) AS number, count(*) OVER (PARTITION BY own, other) AS all_of_pair
      FROM unnest($1::bytea[], $2::bytea[], $3::text[], $4::bytea[], $5::int[]) WITH ORDINALITY AS one (own, other, kind, body, max, place)
  ), pair AS (
    INSERT INTO ${messagePair.table} AS pair (${own}, ${other}, ${lastSent})
    SELECT own, other, $6::bigint + count(*) - 1 FROM given GROUP BY own, other ORDER BY own, other
    ON CONFLICT (${own}, ${other}) DO UPDATE
       SET ${lastSent} = greatest(excluded.${lastSent}, pair.${lastSent} + excluded.${lastSent} - $6 + 1)
     WHERE pair.${lastSent} = (SELECT seen.${lastSent} FROM ${messagePair.table} AS seen
                                WHERE seen.${own} = excluded.${own} AND seen.${other} = excluded.${other})
    RETURNING ${own} AS own, ${other} AS other, ${lastSent} AS last_sent
  ), counted AS (
    SELECT *, (SELECT count(*) FROM (SELECT FROM ${outgoingMessage.table} AS earlier
                                      WHERE earlier.${waiting.own} = pair.own AND earlier.${waiting.other} = pair.other
                                      LIMIT $7) AS found) AS waiting
      FROM pair
  ), stored AS (
    INSERT INTO ${outgoingMessage.table} (${namesOf(outgoingMessage, FIELDS)}, "${waiting.order}")
    SELECT own, other, kind, body, last_sent - all_of_pair + number FROM given JOIN counted USING (own, other)
     WHERE waiting + number <= max ORDER BY place
  )
  SELECT waiting + number <= max AS taken FROM given LEFT JOIN counted USING (own, other) ORDER BY place`;

/**
 * Stores messages of our node with their orders: all for which there is room, in one statement.
 *
 * @param now - the first order of a pair that sent none of late
 * @returns whether there was room, for each; undefined for one of a pair for which another process has taken one meanwhile
 */
export async function takeMessages(
  { pool }: Pick<Database, 'pool'>,
  messages: readonly GivenMessage[],
  now: bigint,
): Promise<readonly (boolean | undefined)[]> {
  const { rows } = await pool.query<{ taken: boolean | null }>({
    name: 'take-messages',
    text: TAKE,
    values: [
      byteaArray(messages.map(({ from }) => keyToBytes(from))),
      byteaArray(messages.map(({ to }) => keyToBytes(to))),
      messages.map(({ kind }) => kind),
      byteaArray(messages.map(({ body }) => body)),
      integerArray(
        4,
        messages.map(({ max }) => max),
      ),
      now,
      Math.max(...messages.map(({ max }) => max)),
    ],
  });
  return rows.map(({ taken }) => taken ?? undefined);
}
