import { encodeRlp, type RlpFields } from '@tetrad/rlp';
import { decodeSignature65, encodeSignature65, type RecoverableSignature } from '@tetrad/crypto';
import { bytesFromScalar, hashToBytes, type Hash } from '@tetrad/types';
import { wireFields, WireError } from './wire-fields.js';
import { NONCE_BYTES } from './introduction.js';

/** Number and hash of a chain's newest block. */
export interface Head {
  readonly number: number;
  readonly hash: Hash;
}

/** Largest body of a handshake. */
export const MAX_HANDSHAKE_BYTES = 2_048;

/** The listener's introduction and the proof of its key. */
export interface Challenge {
  readonly introduction: Uint8Array;
  readonly signature: RecoverableSignature;
}

/** Layout: RLP([introduction (bytes), signature (65)]). */
export function encodeChallenge({ introduction, signature }: Challenge): Uint8Array {
  return encodeRlp([introduction, encodeSignature65(signature)]);
}

/** @throws WireError */
export function decodeChallenge(bytes: Uint8Array): Challenge {
  const fields = wireFields(bytes, 'challenge');
  const introduction = fields.bytes('introduction', MAX_HANDSHAKE_BYTES);
  const signature = readSignature(fields);
  fields.end();
  return { introduction, signature };
}

/** The dialer's proof of its key, under the nonce of the challenge it answers. */
export interface Proof {
  readonly nonce: Uint8Array;
  readonly signature: RecoverableSignature;
}

/** Layout: RLP([nonce (32), signature (65)]). */
export function encodeProof({ nonce, signature }: Proof): Uint8Array {
  return encodeRlp([nonce, encodeSignature65(signature)]);
}

/** @throws WireError */
export function decodeProof(bytes: Uint8Array): Proof {
  const fields = wireFields(bytes, 'proof');
  const nonce = fields.exactly('nonce', NONCE_BYTES);
  const signature = readSignature(fields);
  fields.end();
  return { nonce, signature };
}

/** Fields of a head inside another message: number, hash (32). */
export function headFields({ number, hash }: Head): Uint8Array[] {
  return [bytesFromScalar(number), hashToBytes(hash)];
}

/** @throws WireError */
export function readHead(fields: RlpFields): Head {
  return { number: fields.count('number'), hash: fields.hash('hash') };
}

/** Layout: RLP([number, hash (32)]). */
export function encodeHead(head: Head): Uint8Array {
  return encodeRlp(headFields(head));
}

/** @throws WireError */
export function decodeHead(bytes: Uint8Array): Head {
  const fields = wireFields(bytes, 'head');
  const head = readHead(fields);
  fields.end();
  return head;
}

function readSignature(fields: RlpFields): RecoverableSignature {
  const bytes = fields.exactly('signature', 65);
  try {
    return decodeSignature65(bytes);
  } catch {
    throw new WireError('handshake: signature');
  }
}
