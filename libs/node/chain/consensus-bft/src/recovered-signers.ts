import { decodeSignature65, recoverAddress } from '@tetrad/crypto';
import type { Address } from '@tetrad/types';
import { LRUCache } from 'lru-cache';

/** Signatures of some rounds of a hundred validators. */
const REMEMBERED = 8_192;

/** Digest and signature, one character per byte → signer. Results are deterministic, so the process shares them. */
const recovered = new LRUCache<string, Address>({ max: REMEMBERED });

/**
 * The address whose key signed the digest.
 *
 * A PREPARE arrives on its own and again in every ROUND-CHANGE that it justifies, those again in the next proposal, and
 * a committed seal again in the block: a recent recovery is not repeated.
 *
 * @param signature - r ‖ s ‖ parity, 65 bytes
 * @throws InvalidSignatureError
 */
export function recoverCached(digest: Uint8Array, signature: Uint8Array): Address {
  const key = Buffer.concat([digest, signature]).toString('latin1');
  const known = recovered.get(key);
  if (known !== undefined) return known;
  const address = recoverAddress(digest, decodeSignature65(signature));
  recovered.set(key, address);
  return address;
}
