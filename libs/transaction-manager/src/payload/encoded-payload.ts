import { sha3_512 } from '@tetrad/crypto';
import { TetradError, type PtmKey } from '@tetrad/types';

/** What only payloads of one flag have; said at the sender too. */
export const EXEC_HASH_TEXT = 'ExecutionHash data is invalid';
export const MANDATORY_TEXT =
  'Mandatory recipients data only applicable for Mandatory Recipients privacy mode. ' +
  'In case no mandatory recipient is required, consider using Party Protection privacy mode';

/**
 * What existing managers find when they put a pushed payload together.
 * @throws MalformedPayloadError with their texts
 */
export function checkPushed({ privacyFlag, execHash, mandatoryRecipients }: EncodedPayload): void {
  if ((privacyFlag === PrivacyFlag.StateValidation) !== execHash.length > 0)
    throw new MalformedPayloadError(EXEC_HASH_TEXT);
  if ((privacyFlag === PrivacyFlag.MandatoryRecipients) !== mandatoryRecipients.length > 0)
    throw new MalformedPayloadError(MANDATORY_TEXT);
}

/** How a private transaction is protected. */
export enum PrivacyFlag {
  Standard = 0,
  PartyProtection = 1,
  MandatoryRecipients = 2,
  StateValidation = 3,
}

/** Bytes of a payload hash, and of a security hash. */
export const HASH_BYTES = 64;

/** Most recipients, affected contracts or mandatory recipients of one payload. */
export const MAX_PARTIES = 1_000;

/** A contract that a transaction affects, by the payload of its creation. */
export interface AffectedContract {
  /** 64 bytes. */
  readonly hash: Uint8Array;
  /** 64 bytes: proof that the sender knows the payload of the creation; see `securityHash`. */
  readonly securityHash: Uint8Array;
}

/** An encrypted payload as managers store it and send it to each other. */
export interface EncodedPayload {
  readonly sender: PtmKey;
  /** tag (16) | ciphertext. */
  readonly cipherText: Uint8Array;
  /** 24 bytes. */
  readonly cipherTextNonce: Uint8Array;
  /** Of each recipient the sealed master key, 48 bytes; a copy for one recipient has that one only. */
  readonly recipientBoxes: readonly Uint8Array[];
  /** 24 bytes, the same for all boxes. */
  readonly recipientNonce: Uint8Array;
  /** In the order of the boxes; there are more keys than boxes in a copy that validates state. */
  readonly recipientKeys: readonly PtmKey[];
  readonly privacyFlag: PrivacyFlag;
  readonly affected: readonly AffectedContract[];
  /** ASCII of the base64 root; empty unless the flag is `StateValidation`. */
  readonly execHash: Uint8Array;
  /** Empty unless the flag is `MandatoryRecipients`. */
  readonly mandatoryRecipients: readonly PtmKey[];
  readonly privacyGroupId: Uint8Array | undefined;
}

/** The name of a payload: SHA3-512 of its ciphertext, 64 bytes. */
export function payloadHash({ cipherText }: Pick<EncodedPayload, 'cipherText'>): Uint8Array {
  return sha3_512(cipherText);
}

/** Bytes of a peer or caller that are not the payload or the party information they are said to be. */
export class MalformedPayloadError extends TetradError {
  override readonly name = 'MalformedPayloadError';
  override readonly code = 'MALFORMED_PAYLOAD';
}
