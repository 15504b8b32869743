import { qualified } from '@tetrad/db/client';
import type pg from 'pg';
import { nonceEntry, nonceSequence, settledNonce } from '../generated/tables.js';

const sequence = nonceSequence.columns;
const entry = nonceEntry.columns;
const settled = settledNonce.columns;

const SETTLE_NONCES = `
  DELETE FROM ${nonceEntry.table}
   WHERE ${entry.sequenceId} = $1 AND ${entry.nonce} < $2 AND ${entry.state} IN ('free', 'reserved', 'accepted')`;

const SETTLE_SEQUENCE = `
  UPDATE ${nonceSequence.table}
     SET ${sequence.minedAt} = now(), ${sequence.nextNonce} = greatest(${sequence.nextNonce}, $2),
         ${sequence.minedCount} = CASE WHEN ${sequence.privacyGroup} = '' THEN $2
                                       ELSE greatest(${sequence.minedCount}, $2) END
   WHERE ${sequence.id} = $1
     AND (${sequence.minedCount} < $2 OR ${sequence.minedCount} > $2 AND ${sequence.privacyGroup} = '')`;

const PRUNE = `
  WITH oldest AS MATERIALIZED (
    SELECT ${settled.nonce} AS nonce FROM ${settledNonce.table} WHERE ${settled.sequenceId} = $1
     ORDER BY ${settled.nonce} DESC OFFSET $2 LIMIT 1),
  pruned AS (
    DELETE FROM ${settledNonce.table} USING oldest
     WHERE ${settled.sequenceId} = $1 AND ${qualified(settledNonce).columns.nonce} <= oldest.nonce)
  UPDATE ${nonceSequence.table} SET ${sequence.knownFrom} = greatest(${sequence.knownFrom}, oldest.nonce + 1)
    FROM oldest WHERE ${sequence.id} = $1`;

const DROP_OLD_GIVEN = `
  DELETE FROM ${nonceEntry.table}
   WHERE ${entry.sequenceId} = $1 AND ${entry.given}
     AND ${entry.changedAt} < now() - make_interval(secs => $2::float8 / 1000)`;

const FORGET_GIVEN = `
  DELETE FROM ${settledNonce.table}
   WHERE ${settled.sequenceId} = $1 AND ${settled.nonce} >= $2 AND ${settled.given}`;

/** A locked sequence, and the transactions of its account in blocks. */
export interface MinedSequence {
  readonly id: number;
  readonly minedCount: bigint;
}

/**
 * Deletes what is mined, and advances the sequence.
 * @param options.keep - settled nonces of a sequence
 * @param options.givenTtlMs - as in `NonceTiming`
 */
export async function settleNonces(
  client: pg.ClientBase,
  { id, minedCount }: MinedSequence,
  { keep, givenTtlMs }: { readonly keep: number; readonly givenTtlMs: number },
): Promise<void> {
  const values = [id, minedCount.toString()];
  const gone = await client.query({ name: 'settle-nonces', text: SETTLE_NONCES, values });
  if ((gone.rowCount ?? 0) > 0)
    // The newest settled nonces stay; the floor rises to what is still known.
    await client.query({ name: 'prune-settled', text: PRUNE, values: [id, keep] });
  // Nonces that callers chose long ago and that were not mined.
  await client.query({ name: 'drop-old-given', text: DROP_OLD_GIVEN, values: [id, givenTtlMs] });
  await client.query({ name: 'forget-given', text: FORGET_GIVEN, values });
  await client.query({ name: 'settle-sequence', text: SETTLE_SEQUENCE, values });
}
