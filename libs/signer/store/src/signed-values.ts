import { asBuffer, asBufferOrNull } from '@tetrad/db';
import { namesOf } from '@tetrad/db/client';
import { hashToBytes } from '@tetrad/types';
import { nonceEntry } from './generated/tables.js';
import type { SignedNonce } from './nonce-rows.js';

/** Columns of one signed nonce, in the order of `signedValues`. */
export const SIGNED_COLUMNS = namesOf(nonceEntry, [
  'sequenceId',
  'nonce',
  'owner',
  'raw',
  'hash',
  'idempotency',
]);

/** Values $1 to $6 of a statement that stores one signed nonce. */
export function signedValues(
  { sequenceId, nonce, raw, hash, idempotency }: SignedNonce,
  replica: string,
): unknown[] {
  return [
    sequenceId,
    nonce.toString(),
    replica,
    asBuffer(raw),
    asBuffer(hashToBytes(hash)),
    asBufferOrNull(idempotency),
  ];
}
