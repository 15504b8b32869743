import type { PtmKey } from '@tetrad/types';
import type { Enclave } from '../enclave/enclave.js';
import { keyToBytes } from '../keys/key-pair.js';

/** Header of the answer to `/partyinfo/validate` that binds the proof; existing managers ignore it and never send it. */
export const PROOF_HEADER = 'tetrad-key-proof';

/** So that nothing else that is sealed between two keys is ever taken for a proof. */
const PURPOSE = Buffer.from('tetrad key proof 1\n');
/** Most characters of the header: a URL of 256 characters fits. */
const MAX_HEADER = 1_024;

/** What a proof says: who asked whom, with which secret, and where the key is. */
export interface ProofClaims {
  /** The key that is proved. */
  readonly key: PtmKey;
  /** The key of the manager that asked. */
  readonly asker: PtmKey;
  /** The decrypted UUID. */
  readonly secret: string;
  /** URL of the manager that holds the key; ends with `/`. */
  readonly url: string;
}

/**
 * The proof as its owner sends it, sealed for the asker alone: passed on by a manager in between it still names the
 * owner's URL.
 *
 * Layout: base64 of nonce (24) | box between `key` and `asker` of: purpose | key (32) | secret (36) | URL
 * Source: docs/adr/0154
 */
export function writeKeyProof({ key, asker, secret, url }: ProofClaims, enclave: Enclave): string {
  const message = Buffer.concat([PURPOSE, keyToBytes(key), Buffer.from(secret + url)]);
  return Buffer.from(enclave.sealBetween(key, asker, message)).toString('base64');
}

/**
 * Whether the header proves just that.
 * @param claims - as the asker, who holds `asker`, expects them
 */
export function isKeyProof(
  header: string,
  { key, asker, secret, url }: ProofClaims,
  enclave: Enclave,
): boolean {
  if (header.length > MAX_HEADER) return false;
  const message = enclave.openBetween(asker, key, Buffer.from(header, 'base64'));
  if (message === undefined) return false;
  return Buffer.concat([PURPOSE, keyToBytes(key), Buffer.from(secret + url)]).equals(message);
}
