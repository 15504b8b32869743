import type { PoolClient } from 'pg';

const REJECT = `
  WITH rejected AS (
    UPDATE operation SET status = 'REJECTED', rejection_reason = 'ACCOUNT_ALREADY_EXISTS', waiting = false
     WHERE sequence = ANY($1::bigint[]) AND status = 'PENDING'
    RETURNING hash
  )
  DELETE FROM account USING rejected WHERE operation_hash = rejected.hash AND account_id IS NULL`;

/** Rejects pending registrations, and frees their keys, so that their holders can register again. */
export async function rejectRegistrations(client: PoolClient, sequences: readonly number[]): Promise<void> {
  if (sequences.length > 0)
    await client.query({ name: 'reject-registrations', text: REJECT, values: [sequences] });
}
