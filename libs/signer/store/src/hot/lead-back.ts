import type pg from 'pg';
import { nonceEntry, nonceSequence } from '../generated/tables.js';
import type { NonceName } from '../nonce-rows.js';

const sequence = nonceSequence.columns;
const entry = nonceEntry.columns;
const LEAD_BACK = `
  UPDATE ${nonceSequence.table}
     SET ${sequence.nextNonce} = $2, ${sequence.minedCount} = least(${sequence.minedCount}, $2)
   WHERE ${sequence.id} = $1`;
const DROP_FREE_ABOVE = `
  DELETE FROM ${nonceEntry.table}
   WHERE ${entry.sequenceId} = $1 AND ${entry.isFree} AND ${entry.nonce} >= $2`;

/**
 * Has the sequence assign this nonce next.
 * @param client - has locked the sequence
 */
export async function leadBack(client: pg.ClientBase, { sequenceId, nonce }: NonceName): Promise<void> {
  const values = [sequenceId, nonce.toString()];
  await client.query({ name: 'lead-back', text: LEAD_BACK, values });
  await client.query({ name: 'drop-free-above', text: DROP_FREE_ABOVE, values });
}
