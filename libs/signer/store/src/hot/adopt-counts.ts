import { qualified } from '@tetrad/db/client';
import type pg from 'pg';
import { nonceEntry, nonceSequence } from '../generated/tables.js';
import { FLOOR } from '../nonce-floor.js';
import type { ReserveRequest } from '../nonce-rows.js';
import { putBackSettled } from './put-back-settled.js';

const sequence = nonceSequence.columns;
const entry = nonceEntry.columns;
const ofSequence = qualified(nonceSequence).columns;
const ofEntry = qualified(nonceEntry).columns;

/** Whether a sequence has nonces that the manager chose and that are not free. */
const BUSY = `EXISTS (SELECT FROM ${nonceEntry.table}
                              WHERE ${ofEntry.sequenceId} = ${ofSequence.id} AND ${entry.state} <> 'free'
                                AND NOT ${entry.given} OFFSET 0)`;

const ADOPT = `
  UPDATE ${nonceSequence.table} SET
    ${sequence.nextNonce} = CASE WHEN count >= ${ofSequence.nextNonce} THEN count
                      WHEN ${BUSY} THEN ${ofSequence.nextNonce}
                      ELSE least(${ofSequence.nextNonce}, greatest(count, ${FLOOR})) END
   FROM unnest($1::bigint[], $2::numeric[]) AS asked (id, count)
  WHERE ${ofSequence.id} = ANY($1) AND ${ofSequence.id} = asked.id AND count <> ${ofSequence.nextNonce}`;

const DROP_USED = `
  DELETE FROM ${nonceEntry.table} USING ${nonceSequence.table}, unnest($1::bigint[], $2::numeric[]) AS asked (id, count)
   WHERE ${ofEntry.sequenceId} = ANY($1) AND ${ofEntry.sequenceId} = asked.id AND ${ofEntry.isFree}
     AND ${ofSequence.id} = ANY($1) AND ${ofSequence.id} = asked.id
     AND (${ofEntry.nonce} < count OR ${ofEntry.nonce} >= ${ofSequence.nextNonce})`;

/**
 * Moves sequences to the next nonce of the client, so that nonces which were used elsewhere are not assigned.
 *
 * A lower count than ours usually means that the client has not yet seen our submissions. It is adopted only when
 * nothing of the sequence is in flight, and never below its floor (docs/adr/0024). A transaction that was mined and is
 * not any more gets its row back before, so that its nonce is not signed again.
 *
 * @param client - in a transaction that has locked the sequences
 */
export async function adoptCounts(
  client: pg.ClientBase,
  requests: readonly ReserveRequest[],
  replica: string,
): Promise<void> {
  const asked = requests.flatMap(({ sequenceId, clientCount }) =>
    clientCount === undefined ? [] : [{ sequenceId, nonce: clientCount }],
  );
  const values = [asked.map(({ sequenceId }) => sequenceId), asked.map(({ nonce }) => nonce.toString())];
  await putBackSettled(client, asked, replica);
  await client.query({ name: 'adopt-counts', text: ADOPT, values });
  await client.query({ name: 'drop-used-nonces', text: DROP_USED, values });
}
