import { encodeRlp } from '@tetrad/rlp';
import { wireFields } from './wire-fields.js';

/** Why a node rejects another, as both of them log it. */
export const REJECTIONS = {
  'wrong-version': 'it speaks another version of the peer protocol',
  'wrong-chain': 'it is on a chain with another chain id',
  'wrong-genesis': 'its chain has another genesis block',
  'wrong-node': 'another node was expected at this address',
  'wrong-clock': 'its clock is too far from ours',
  'wrong-signature': 'it did not prove its node key',
  'wrong-form': 'the message is malformed',
  'own-key': 'it has the node key of this node',
  'duplicate-key': 'another running node has the same node key',
  'not-allowed': 'it is not permitted to connect',
  banned: 'it misbehaved and is cut off for a while',
  'too-many-peers': 'it has too many peers',
  busy: 'it has to wait',
  unknown: 'it gave no reason that is known here',
} as const;

export type Rejection = keyof typeof REJECTIONS;

/** Layout: RLP([reason (text)]). */
export function encodeRejection(rejection: Rejection): Uint8Array {
  return encodeRlp([Buffer.from(rejection)]);
}

/** The reason in the bytes; `unknown` for malformed bytes, since their sender is not authenticated. */
export function decodeRejection(bytes: Uint8Array): Rejection {
  try {
    const fields = wireFields(bytes, 'rejection');
    const reason = fields.text('reason', 32);
    fields.end();
    return isRejection(reason) ? reason : 'unknown';
  } catch {
    return 'unknown';
  }
}

function isRejection(text: string): text is Rejection {
  return Object.hasOwn(REJECTIONS, text);
}
