import { keccak256 } from '@tetrad/crypto';
import { EMPTY_LIST, rlpBytes, rlpHash, rlpList, rlpScalar } from '@tetrad/rlp';
import type { Address } from '@tetrad/types';
import { recoverCached } from '../recovered-signers.js';
import type {
  CommitPayload,
  MessageKind,
  PreparePayload,
  RoundChangePayload,
  SignedPrepare,
  SignedRoundChange,
  View,
} from './consensus-message.js';
import { MessageError } from './message-fields.js';

/** Message codes (docs/spec/bft.md#messages); `seal` is ours (docs/adr/0030). */
export const MESSAGE_CODES: Readonly<Record<MessageKind, number>> = {
  proposal: 0x12,
  prepare: 0x13,
  commit: 0x14,
  roundChange: 0x15,
  seal: 0x16,
};

/** Layout: [sequence, round, digest (32)]. */
export function preparePayload({ height, round, digest }: PreparePayload): Uint8Array {
  return rlpList([rlpScalar(height), rlpScalar(round), rlpHash(digest)]);
}

/** Layout: [sequence, round, digest (32), seal (65 or 0)]; a COMMIT's and a SEAL's. */
export function commitPayload({ height, round, digest, seal }: CommitPayload): Uint8Array {
  return rlpList([rlpScalar(height), rlpScalar(round), rlpHash(digest), rlpBytes(seal)]);
}

/** Layout: [sequence, round, [] or [prepared round, prepared digest (32)]]. */
export function roundChangePayload({ height, round, prepared }: RoundChangePayload): Uint8Array {
  const certificate =
    prepared === undefined ? EMPTY_LIST : rlpList([rlpScalar(prepared.round), rlpHash(prepared.digest)]);
  return rlpList([rlpScalar(height), rlpScalar(round), certificate]);
}

/** Layout: [sequence, round, block]. */
export function proposalPayload({ height, round }: View, encodedBlock: Uint8Array): Uint8Array {
  return rlpList([rlpScalar(height), rlpScalar(round), encodedBlock]);
}

/** What a message's signature is over. Preimage: RLP([code, payload]). */
export function signingDigest(kind: MessageKind, payload: Uint8Array): Uint8Array {
  return keccak256(rlpList([rlpScalar(MESSAGE_CODES[kind]), payload]));
}

/** @throws MessageError when no key can have made the signature */
export function recoverSender(kind: MessageKind, payload: Uint8Array, signature: Uint8Array): Address {
  return recoverSigner(signingDigest(kind, payload), signature);
}

export function recoverSigner(digest: Uint8Array, signature: Uint8Array): Address {
  try {
    return recoverCached(digest, signature);
  } catch {
    throw new MessageError('signature: no key can have made it');
  }
}

/** @throws MessageError */
export function prepareSender(prepare: SignedPrepare): Address {
  return recoverSender('prepare', preparePayload(prepare), prepare.signature);
}

/** @throws MessageError */
export function roundChangeSender(roundChange: SignedRoundChange): Address {
  return recoverSender('roundChange', roundChangePayload(roundChange), roundChange.signature);
}
