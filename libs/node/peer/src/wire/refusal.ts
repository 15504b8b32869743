import { encodeRlp } from '@tetrad/rlp';
import { wireFields } from './wire-fields.js';

/** Why a node does not talk to another, as both of them log it. */
export const REFUSALS = {
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
  'too-many-peers': 'there is no room for more peers',
  busy: 'it has to wait',
  unknown: 'it gave no reason that is known here',
} as const;

export type Refusal = keyof typeof REFUSALS;

/** Layout: RLP([reason (text)]). */
export function encodeRefusal(refusal: Refusal): Uint8Array {
  return encodeRlp([Buffer.from(refusal)]);
}

/** The reason in the bytes; `unknown` for bytes that hold none, since they may come from anybody. */
export function decodeRefusal(bytes: Uint8Array): Refusal {
  try {
    const fields = wireFields(bytes, 'refusal');
    const reason = fields.text('reason', 32);
    fields.end();
    return isRefusal(reason) ? reason : 'unknown';
  } catch {
    return 'unknown';
  }
}

function isRefusal(text: string): text is Refusal {
  return Object.hasOwn(REFUSALS, text);
}
