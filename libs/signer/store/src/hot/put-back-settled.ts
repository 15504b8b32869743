import { namesOf, qualified } from '@tetrad/db/client';
import type pg from 'pg';
import { nonceEntry, nonceSequence, settledNonce } from '../generated/tables.js';
import type { NonceName } from '../nonce-rows.js';

const sequence = qualified(nonceSequence).columns;
const entry = nonceEntry.columns;
const ofEntry = qualified(nonceEntry).columns;
const settled = qualified(settledNonce).columns;

/** What both tables have of a nonce. */
const FIELDS = ['sequenceId', 'nonce', 'state', 'given', 'lost', 'raw', 'hash'] as const;

const PUT_BACK = `
  WITH back AS (
    DELETE FROM ${settledNonce.table}
     USING ${nonceSequence.table}, unnest($1::bigint[], $2::numeric[]) AS asked (id, count)
     WHERE ${settled.sequenceId} = ANY($1) AND ${settled.sequenceId} = asked.id
       AND ${settled.nonce} >= asked.count
       AND ${sequence.id} = ANY($1) AND ${sequence.id} = asked.id AND ${sequence.privacyGroup} = ''
    RETURNING ${namesOf(qualified(settledNonce), FIELDS)})
  INSERT INTO ${nonceEntry.table} (${namesOf(nonceEntry, FIELDS)}, ${entry.owner})
  SELECT back.*, $3 FROM back
  ON CONFLICT (${entry.sequenceId}, ${entry.nonce}) DO UPDATE
     SET ${entry.state} = excluded.${entry.state}, ${entry.given} = excluded.${entry.given},
         ${entry.lost} = excluded.${entry.lost}, ${entry.owner} = excluded.${entry.owner},
         ${entry.raw} = excluded.${entry.raw}, ${entry.hash} = excluded.${entry.hash}, ${entry.changedAt} = now()
   WHERE ${ofEntry.state} = 'free'`;

/**
 * Gives settled nonces that the client no longer counts their rows back, with the same bytes.
 * @param counts - of locked sequences, as the next nonce of each
 */
export async function putBackSettled(
  client: pg.ClientBase,
  counts: readonly NonceName[],
  replica: string,
): Promise<void> {
  await client.query({
    name: 'put-back-settled',
    text: PUT_BACK,
    values: [
      counts.map(({ sequenceId }) => sequenceId),
      counts.map(({ nonce }) => nonce.toString()),
      replica,
    ],
  });
}
