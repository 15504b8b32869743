import { columnsOf, qualified } from '@tetrad/db/client';
import type pg from 'pg';
import { nonceEntry, nonceSequence } from '../generated/tables.js';
import { ROW_NAME, type NonceRowName } from '../named-nonces.js';
import type { ReserveRequest } from '../nonce-rows.js';
import { adoptCounts } from './adopt-counts.js';
import { lockSequences } from './lock-sequence.js';

const sequence = nonceSequence.columns;
const entry = nonceEntry.columns;
const ofSequence = qualified(nonceSequence).columns;
const ofEntry = qualified(nonceEntry).columns;

/**
 * Checks again under the lock that a row is free: a caller may have chosen the nonce itself meanwhile. Free nonces above
 * the next one are those of a sequence that was led back, whose turn has not come.
 */
const RESERVE = `
  WITH asked AS (SELECT * FROM unnest($1::bigint[], $2::int[]) AS asked (id, wanted)),
  returned AS (
    UPDATE ${nonceEntry.table} SET ${entry.state} = 'reserved', ${entry.owner} = $3, ${entry.changedAt} = now()
      FROM asked JOIN ${nonceSequence.table} ON ${ofSequence.id} = ANY($1) AND ${ofSequence.id} = asked.id
           CROSS JOIN LATERAL (
             SELECT ${entry.nonce} AS nonce FROM ${nonceEntry.table}
              WHERE ${entry.isFree} AND ${ofEntry.sequenceId} = asked.id AND ${ofEntry.nonce} < ${ofSequence.nextNonce}
              ORDER BY ${ofEntry.nonce} LIMIT asked.wanted) lowest
     WHERE ${ofEntry.sequenceId} = ANY($1) AND ${entry.isFree}
       AND ${ofEntry.sequenceId} = asked.id AND ${ofEntry.nonce} = lowest.nonce
     RETURNING ${ROW_NAME}),
  missing AS (
    SELECT asked.id, asked.wanted - count(returned.nonce) AS count
      FROM asked LEFT JOIN returned ON returned."sequenceId" = asked.id GROUP BY asked.id, asked.wanted),
  moved AS (
    UPDATE ${nonceSequence.table} SET ${sequence.nextNonce} = ${ofSequence.nextNonce} + missing.count FROM missing
     WHERE ${ofSequence.id} = ANY($1) AND ${ofSequence.id} = missing.id AND missing.count > 0
     RETURNING ${ofSequence.id} AS id, ${ofSequence.nextNonce} AS next, missing.count),
  fresh AS (
    INSERT INTO ${nonceEntry.table} (${entry.sequenceId}, ${entry.nonce}, ${entry.state}, ${entry.owner})
    SELECT id, generate_series(next - count, next - 1), 'reserved', $3 FROM moved
    ON CONFLICT (${entry.sequenceId}, ${entry.nonce}) DO NOTHING
    RETURNING ${columnsOf(nonceEntry, ['sequenceId', 'nonce'])})
  SELECT * FROM returned UNION ALL SELECT * FROM fresh`;

/**
 * Reserves nonces, the lowest first: returned ones before those that were never used.
 *
 * Runs in the transaction of the caller and first locks the sequences in ascending order: replicas wait for each other
 * here, for the length of one short transaction, and every statement sees the result of the previous one.
 *
 * @returns nonces of each request in ascending order; fewer than wanted when callers chose some of them themselves
 */
export async function reserveNonces(
  client: pg.ClientBase,
  requests: readonly ReserveRequest[],
  replica: string,
): Promise<bigint[][]> {
  const asked = ofEachSequence(requests);
  const sequenceIds = asked.map(({ sequenceId }) => sequenceId);
  // Losing a reservation to a crash of the database is harmless: nothing is submitted before its bytes are stored,
  // and that commit is a durable one that comes later.
  await client.query('SET LOCAL synchronous_commit = off');
  await lockSequences(client, sequenceIds);
  if (asked.some(({ clientCount }) => clientCount !== undefined)) {
    await adoptCounts(client, asked, replica);
  }
  const { rows } = await client.query<NonceRowName>({
    name: 'reserve-nonces',
    text: RESERVE,
    values: [sequenceIds, asked.map(({ wanted }) => wanted), replica],
  });
  const bySequence = new Map<number, bigint[]>(sequenceIds.map((id) => [id, []]));
  for (const row of rows) bySequence.get(row.sequenceId)?.push(BigInt(row.nonce));
  for (const nonces of bySequence.values()) nonces.sort((a, b) => (a < b ? -1 : 1));
  return requests.map(({ sequenceId, wanted }) => bySequence.get(sequenceId)?.splice(0, wanted) ?? []);
}

/** Requests for one sequence are made one, since the statement gives the nonces of a sequence to each that asks for it. */
function ofEachSequence(requests: readonly ReserveRequest[]): readonly ReserveRequest[] {
  const asked = new Map<number, ReserveRequest>();
  for (const { sequenceId, wanted, clientCount } of requests) {
    const before = asked.get(sequenceId);
    asked.set(sequenceId, {
      sequenceId,
      wanted: wanted + (before?.wanted ?? 0),
      clientCount: before?.clientCount ?? clientCount,
    });
  }
  return [...asked.values()];
}
