import { encodeSignature65, keccak256, signDigest } from '@tetrad/crypto';
import { copyOf, rlpBytes, rlpHash, rlpList, rlpScalar, type RlpFields } from '@tetrad/rlp';
import { ZERO_HASH, addressToBytes, type Address, type Hash } from '@tetrad/types';
import type { View } from './consensus-message.js';
import {
  MessageError,
  messageFields,
  readSignature,
  readHeight,
  readRound,
  wholly,
} from './message-fields.js';
import { recoverSigner } from './message-signing.js';

/** Inner codes of the older protocol's messages (docs/spec/bft.md#messages). */
export const IBFT_CODES = { prePrepare: 0, prepare: 1, commit: 2, roundChange: 3 } as const;

export type IbftCode = (typeof IBFT_CODES)[keyof typeof IBFT_CODES];

/**
 * A message of EIP-650 as nodes of the older protocol exchange it.
 *
 * Tetrad's own nodes speak QBFT's messages under both header formats (docs/adr/0030), because these carry no
 * justification; the codec is for tools that read or make the older ones.
 */
export interface IbftMessage {
  readonly code: IbftCode;
  /** RLP of what is said; see `encodeIbftSubject`. */
  readonly body: Uint8Array;
  readonly sender: Address;
  /** 65 bytes, or empty on all but COMMIT. */
  readonly committedSeal: Uint8Array;
}

export interface SignedIbftMessage extends IbftMessage {
  readonly signature: Uint8Array;
}

/** Layout: [[round, sequence], digest (32)]; ROUND-CHANGE has a digest of zeros. */
export function encodeIbftSubject({ height, round }: View, digest: Hash = ZERO_HASH): Uint8Array {
  return rlpList([rlpList([rlpScalar(round), rlpScalar(height)]), rlpHash(digest)]);
}

/** @throws MessageError */
export function decodeIbftSubject(body: Uint8Array): View & { readonly digest: Hash } {
  return wholly(messageFields(body, 'msg'), (fields) => ({
    ...readIbftView(fields),
    digest: fields.hash('digest'),
  }));
}

/** Layout: RLP([code, body, sender (20), signature (65), committed seal (65 or 0)]). */
export function encodeIbftMessage(message: SignedIbftMessage): Uint8Array {
  return encodeFields(message, message.signature);
}

/** What the sender signs: the same list with an empty signature, so that the committed seal is covered. */
export function encodeUnsignedIbftMessage(message: IbftMessage): Uint8Array {
  return encodeFields(message, new Uint8Array(0));
}

export function signIbftMessage(message: IbftMessage, privateKey: Uint8Array): SignedIbftMessage {
  const digest = keccak256(encodeUnsignedIbftMessage(message));
  return { ...message, signature: encodeSignature65(signDigest(digest, privateKey)) };
}

/** @throws MessageError, with the reference's text when the signer is not the sender */
export function decodeIbftMessage(bytes: Uint8Array): SignedIbftMessage {
  const message = wholly(messageFields(bytes, 'message'), (fields) => ({
    // The four codes are the numbers 0 to 3.
    code: fields.count('code', 3) as IbftCode,
    body: copyOf(fields.bytes('msg', bytes.length)),
    sender: fields.address('sender'),
    signature: readSignature(fields),
    committedSeal: copyOf(fields.exactly('committed seal', 0, 65)),
  }));
  const signer = recoverSigner(keccak256(encodeUnsignedIbftMessage(message)), message.signature);
  if (signer !== message.sender) throw new MessageError('message not signed by the sender');
  return message;
}

/** Layout: [round, sequence], the reverse of QBFT's. */
function readIbftView(fields: RlpFields): View {
  return wholly(fields.list('view'), (view) => {
    const round = readRound(view);
    return { height: readHeight(view), round };
  });
}

function encodeFields(message: IbftMessage, signature: Uint8Array): Uint8Array {
  return rlpList([
    rlpScalar(message.code),
    rlpBytes(message.body),
    rlpBytes(addressToBytes(message.sender)),
    rlpBytes(signature),
    rlpBytes(message.committedSeal),
  ]);
}
