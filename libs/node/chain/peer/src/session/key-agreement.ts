import { createECDH, hkdfSync } from 'node:crypto';
import {
  InvalidSignatureError,
  keccak256,
  recoverPublicKey,
  type RecoverableSignature,
  type SigningKey,
} from '@tetrad/crypto';
import type { NodeId } from '../identity/node-id.js';
import { readSessionId, type SessionKeys } from './session.js';

/** Both introductions as they were sent: everything that the two nodes agreed on. */
export interface Transcript {
  readonly dialer: Uint8Array;
  readonly listener: Uint8Array;
}

export type Role = 'dialer' | 'listener';

const ROLE_CODES: Readonly<Record<Role, number>> = { dialer: 1, listener: 2 };
const DOMAIN = Buffer.from('tetrad/p2p/v1 handshake', 'ascii');
const KEY_INFO = Buffer.from('tetrad/p2p/v1 session', 'ascii');

/**
 * What a node signs to prove its key to the other. Both introductions are in it, and with them the protocol version,
 * chain id, genesis hash, both node ids, both nonces, both one-time keys and both clocks.
 *
 * Layout: keccak256("tetrad/p2p/v1 handshake" (23) ‖ signer's role (1) ‖ keccak256(dialer's introduction) (32) ‖
 * keccak256(listener's introduction) (32))
 */
export function handshakeDigest(role: Role, { dialer, listener }: Transcript): Uint8Array {
  return keccak256(
    Buffer.concat([DOMAIN, Uint8Array.of(ROLE_CODES[role]), keccak256(dialer), keccak256(listener)]),
  );
}

export function signHandshake(
  role: Role,
  transcript: Transcript,
  key: Pick<SigningKey, 'sign'>,
): Promise<RecoverableSignature> {
  return key.sign(handshakeDigest(role, transcript));
}

/** Whether the node signed the transcript in that role. */
export function hasSigned(
  nodeId: NodeId,
  role: Role,
  { transcript, signature }: { transcript: Transcript; signature: RecoverableSignature },
): boolean {
  try {
    const key = recoverPublicKey(handshakeDigest(role, transcript), signature);
    return Buffer.from(key).toString('hex') === nodeId;
  } catch (error) {
    if (error instanceof InvalidSignatureError) return false;
    throw error;
  }
}

/** A key pair for one handshake; the session stays secret when node keys leak later. */
export interface EphemeralKey {
  /** x (32) ‖ y (32). */
  readonly publicKey: Uint8Array;
  /**
   * The x coordinate that both share, 32 bytes.
   * @throws TypeError when the other key is not a point of the curve
   */
  agree(other: Uint8Array): Uint8Array;
}

export function createEphemeralKey(): EphemeralKey {
  const key = createECDH('secp256k1');
  return {
    publicKey: key.generateKeys().subarray(1),
    agree(other) {
      try {
        return key.computeSecret(Buffer.concat([Uint8Array.of(4), other]));
      } catch {
        throw new TypeError('not a point of the curve');
      }
    },
  };
}

/**
 * Session keys of the transcript.
 *
 * Layout: HKDF-SHA256(secret: shared x (32); salt: keccak256(dialer's introduction) (32) ‖ keccak256(listener's) (32);
 * info: "tetrad/p2p/v1 session") → dialer's sending key (32) ‖ listener's sending key (32) ‖ session id (16)
 *
 * Source: RFC 5869
 */
export function deriveSessionKeys(role: Role, secret: Uint8Array, transcript: Transcript): SessionKeys {
  const salt = Buffer.concat([keccak256(transcript.dialer), keccak256(transcript.listener)]);
  const bytes = Buffer.from(hkdfSync('sha256', secret, salt, KEY_INFO, 80));
  const [dialer, listener] = [bytes.subarray(0, 32), bytes.subarray(32, 64)];
  const id = readSessionId(bytes.subarray(64).toString('hex'));
  if (id === undefined) throw new TypeError('a session id has 16 bytes');
  return role === 'dialer'
    ? { id, sending: dialer, receiving: listener }
    : { id, sending: listener, receiving: dialer };
}
