import type { Database } from '@tetrad/db';
import { decodeWord } from '@tetrad/rollup-crypto';
import type { PoolClient } from 'pg';
import {
  signingAccountId,
  writtenOperation,
  type AcceptedOperation,
  type SignedOperation,
  type WrittenOperation,
} from './operation-rows.js';

/** `PUBLIC_KEY_ALREADY_EXISTS` is for account creations only, of which nothing is stored then. */
export type Acceptance = 'ACCEPTED' | 'PUBLIC_KEY_ALREADY_EXISTS';

/** Groups of all processes take turns, so that sequence numbers are in the order of commits. */
const ACCEPTANCE_LOCK = 7_370_140;

const COLUMNS = `hash, kind, account_id, nonce, from_account_id, to_account_id, to_address, token_id, amount,
  blinding_factor, public_key, joint_key, total_index, ciphertext, signature, status, rejection_reason`;

const REPLACED = 'REPLACED_BY_OPERATION_WITH_SAME_NONCE';

/** The operations travel as one JSON text. What was pending with the nonce of one of them is replaced by it. */
const REPLACE = `
  UPDATE operation SET status = 'REJECTED', rejection_reason = '${REPLACED}', waiting = false
    FROM json_to_recordset($1::json) AS new (hash text, account_id int, nonce bigint)
   WHERE operation.account_id = new.account_id AND operation.nonce = new.nonce AND operation.status = 'PENDING'
     AND operation.hash <> decode(new.hash, 'hex')`;

/** One that was rejected is tried again when it is sent again: its nonce is not used up. */
const INSERT = `
  WITH asked AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS new (
      position int, hash text, kind int, account_id int, nonce bigint, from_account_id int, to_account_id int,
      to_address text, token_id int, amount numeric, blinding_factor text, public_key text, joint_key text,
      total_index bigint, ciphertext text, signature text, replaced boolean)
  ), registered AS (
    INSERT INTO account (public_key, operation_hash, joint_key, blinding_factor)
    SELECT decode(public_key, 'hex'), decode(hash, 'hex'), decode(joint_key, 'hex'), decode(blinding_factor, 'hex')
      FROM asked WHERE public_key IS NOT NULL ORDER BY position
    ON CONFLICT (public_key) DO NOTHING
    RETURNING operation_hash
  ), accepted AS MATERIALIZED (
    SELECT asked.*, decode(asked.hash, 'hex') AS hash_bytes FROM asked
     WHERE public_key IS NULL
        OR decode(asked.hash, 'hex') IN (SELECT operation_hash FROM registered)
  ), written AS (
    INSERT INTO operation (${COLUMNS})
    SELECT hash_bytes, kind, account_id, nonce, from_account_id, to_account_id, decode(to_address, 'hex'), token_id,
           amount, decode(blinding_factor, 'hex'), decode(public_key, 'hex'), decode(joint_key, 'hex'), total_index,
           decode(ciphertext, 'hex'), decode(signature, 'hex'), CASE WHEN replaced THEN 'REJECTED' ELSE 'PENDING' END,
           CASE WHEN replaced THEN '${REPLACED}' END
      FROM accepted ORDER BY position
    ON CONFLICT (hash) DO UPDATE
       SET sequence = excluded.sequence, status = excluded.status, rejection_reason = excluded.rejection_reason,
           signature = excluded.signature, accepted_at = now()
     WHERE operation.status = 'REJECTED'
  )
  SELECT hash_bytes AS hash FROM accepted`;

/**
 * Stores a group of operations in one transaction; acknowledged means stored.
 *
 * In:  operations that were checked; several with one account and nonce: the last one holds
 * Out: for each what became of it
 */
export function acceptOperations(
  database: Database,
  group: readonly AcceptedOperation[],
): Promise<Acceptance[]> {
  const written = writtenGroup(group);
  return database.transaction(async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [ACCEPTANCE_LOCK]);
    await replacePending(client, written);
    const { rows } = await client.query<{ hash: Buffer }>({
      name: 'accept-operations',
      text: INSERT,
      values: [JSON.stringify(written)],
    });
    const accepted = new Set(rows.map(({ hash }) => decodeWord(hash)));
    return group.map(({ hash }) => (accepted.has(hash) ? 'ACCEPTED' : 'PUBLIC_KEY_ALREADY_EXISTS'));
  });
}

/** Each operation once, and of those with one account and nonce all but the last as replaced. */
function writtenGroup(group: readonly AcceptedOperation[]): WrittenOperation[] {
  const last = new Map<string, bigint>();
  for (const { hash, operation } of group) {
    const place = noncePlace(operation);
    if (place !== undefined) last.set(place, hash);
  }
  const unique = new Map(group.map((accepted) => [accepted.hash, accepted]));
  return [...unique.values()].map((accepted, position) => {
    const place = noncePlace(accepted.operation);
    return writtenOperation(accepted, position, place !== undefined && last.get(place) !== accepted.hash);
  });
}

function noncePlace(operation: SignedOperation): string | undefined {
  const accountId = signingAccountId(operation);
  return accountId === undefined || operation.kind === 'createAccount'
    ? undefined
    : `${accountId}/${operation.nonce}`;
}

async function replacePending(client: PoolClient, written: readonly WrittenOperation[]): Promise<void> {
  const taking = written.filter(({ account_id, replaced }) => account_id !== undefined && !replaced);
  if (taking.length === 0) return;
  const places = taking.map(({ hash, account_id, nonce }) => ({ hash, account_id, nonce }));
  await client.query({ name: 'replace-pending', text: REPLACE, values: [JSON.stringify(places)] });
}
