import type { PtmKey } from '@tetrad/types';
import type { Boxes, SealedPayload } from '../enclave/enclave.js';
import { InvalidPublicKeyError } from '../keys/key-pair.js';
import { ManagerError } from '../manager-error.js';
import { toBase64 } from '../payload/base64.js';
import { MAX_PARTIES, type AffectedContract, type EncodedPayload } from '../payload/encoded-payload.js';
import type { KnownPayloads } from '../privacy/known-payload.js';
import { checkSend, type PrivacyMetadata } from '../privacy/send-checks.js';
import { findKnownPayloads, type LookupParts } from './affected-payloads.js';

export interface PayloadRequest extends PrivacyMetadata {
  /** Who can read the payload, the sender too; a duplicate key counts once. */
  readonly parties: readonly PtmKey[];
  /** 24 bytes; random without it. */
  readonly recipientNonce?: Uint8Array;
}

/**
 * Boxes a payload for its parties, once it is seen that it may be sent to them.
 * @throws ManagerError
 */
export async function makePayload(
  sealed: SealedPayload,
  { parties, recipientNonce, ...metadata }: PayloadRequest,
  parts: LookupParts & { readonly enhanced: boolean },
): Promise<EncodedPayload> {
  const recipients = [...new Set(parties)];
  if (recipients.length > MAX_PARTIES)
    throw new ManagerError(
      'invalid',
      `there are ${recipients.length} recipients; the limit is ${MAX_PARTIES}`,
    );
  const known = await findKnownPayloads(metadata.affected, sealed.cipherText, parts);
  const { giveWay } = parts.turn;
  await checkSend(metadata, recipients, { known, enhanced: parts.enhanced, giveWay });
  return {
    ...metadata,
    ...(await box(sealed, recipients, recipientNonce, parts)),
    sender: sealed.sender,
    cipherText: sealed.cipherText,
    cipherTextNonce: sealed.nonce,
    affected: proveAffected(metadata.affected, known),
  };
}

function proveAffected(hashes: readonly Uint8Array[], known: KnownPayloads): AffectedContract[] {
  const creations = [...new Set(hashes.map(toBase64))].flatMap((name) => known.get(name) ?? []);
  return creations.map(({ hash, securityHash }) => ({ hash, securityHash }));
}

/** Others have turns in between: a box for a key that was never used here takes a tenth of a millisecond. */
async function box(
  sealed: SealedPayload,
  recipients: readonly PtmKey[],
  nonce: Uint8Array | undefined,
  { enclave, turn }: LookupParts,
): Promise<Boxes> {
  const { recipientNonce } = enclave.box(sealed, [], nonce);
  const recipientBoxes: Uint8Array[] = [];
  try {
    for (const recipient of recipients) {
      await turn.giveWay();
      recipientBoxes.push(...enclave.box(sealed, [recipient], recipientNonce).recipientBoxes);
    }
    return { recipientBoxes, recipientNonce, recipientKeys: recipients };
  } catch (error) {
    if (error instanceof InvalidPublicKeyError) throw new ManagerError('rejected', error.message);
    throw error;
  }
}
