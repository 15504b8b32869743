import { decodeSignature65, recoverAddress } from '@tetrad/crypto';
import type { Address } from '@tetrad/types';
import { LRUCache } from 'lru-cache';

/** Signatures of some rounds of a hundred validators. */
const REMEMBERED = 8_192;

/** Digest and signature, a character a byte → whose it is. A matter of arithmetic, so all in the process may share it. */
const recovered = new LRUCache<string, Address>({ max: REMEMBERED });

/**
 * The address whose key signed the digest. In: signature — r ‖ s ‖ parity, 65 bytes
 *
 * A PREPARE comes by itself and again in every ROUND-CHANGE that it justifies, those again in the next proposal, and
 * a committed seal again in the block: what was recovered a moment ago is not recovered again.
 *
 * Fails: InvalidSignatureError
 */
export function recoverCached(digest: Uint8Array, signature: Uint8Array): Address {
  const key = Buffer.concat([digest, signature]).toString('latin1');
  const known = recovered.get(key);
  if (known !== undefined) return known;
  const address = recoverAddress(digest, decodeSignature65(signature));
  recovered.set(key, address);
  return address;
}
