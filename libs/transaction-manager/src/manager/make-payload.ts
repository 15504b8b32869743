import type { PtmKey } from '@tetrad/types';
import type { Boxes, Enclave, SealedPayload } from '../enclave/enclave.js';
import { InvalidPublicKeyError } from '../keys/key-pair.js';
import { ManagerError } from '../manager-error.js';
import { toBase64 } from '../payload/base64.js';
import { MAX_PARTIES, type AffectedContract, type EncodedPayload } from '../payload/encoded-payload.js';
import type { KnownPayloads } from '../privacy/known-payload.js';
import { securityHash } from '../privacy/security-hash.js';
import { checkSend, type PrivacyMetadata } from '../privacy/send-checks.js';
import type { PayloadStore } from '../store/payload-store.js';
import { findKnownPayloads } from './affected-payloads.js';

export interface PayloadRequest extends PrivacyMetadata {
  /** Who can read the payload, the sender too; a duplicate key counts once. */
  readonly parties: readonly PtmKey[];
  /** 24 bytes; random without it. */
  readonly recipientNonce?: Uint8Array;
}

/** Boxes a payload for its parties, once it is seen that it may be sent to them. Fails: ManagerError */
export async function makePayload(
  sealed: SealedPayload,
  { parties, recipientNonce, ...metadata }: PayloadRequest,
  parts: { readonly enclave: Enclave; readonly store: PayloadStore; readonly enhanced: boolean },
): Promise<EncodedPayload> {
  const recipients = [...new Set(parties)];
  if (recipients.length > MAX_PARTIES)
    throw new ManagerError(
      'invalid',
      `there are ${recipients.length} recipients; the limit is ${MAX_PARTIES}`,
    );
  const known = await findKnownPayloads(metadata.affected, parts);
  checkSend(metadata, recipients, { known, enhanced: parts.enhanced });
  return {
    ...metadata,
    ...box(parts.enclave, sealed, recipients, recipientNonce),
    sender: sealed.sender,
    cipherText: sealed.cipherText,
    cipherTextNonce: sealed.nonce,
    affected: proveAffected(metadata.affected, sealed.cipherText, known),
  };
}

function proveAffected(
  hashes: readonly Uint8Array[],
  cipherText: Uint8Array,
  known: KnownPayloads,
): AffectedContract[] {
  const creations = [...new Set(hashes.map(toBase64))].flatMap((name) => known.get(name) ?? []);
  return creations.map(({ hash, payload, masterKey }) => ({
    hash,
    securityHash: securityHash(cipherText, { cipherText: payload.cipherText, masterKey }),
  }));
}

function box(
  enclave: Enclave,
  sealed: SealedPayload,
  recipients: readonly PtmKey[],
  nonce: Uint8Array | undefined,
): Boxes {
  try {
    return enclave.box(sealed, recipients, nonce);
  } catch (error) {
    if (error instanceof InvalidPublicKeyError) throw new ManagerError('rejected', error.message);
    throw error;
  }
}
