import { decodeWord } from './field.js';
import { hashWords } from './poseidon2.js';

/** Above every tag of an operation and of a claim, so that no signature of one is one of a disclosure. */
const DISCLOSURE_TAG = 2n ** 253n;
const HALF = 2n ** 128n;

/**
 * What the holder of an account signs to disclose operations to an auditor: `H(2^253 + domain, upper half, lower half)` of the
 * digest.
 *
 * @param domain - which rollup (`rollupDomain`)
 * @param digest - keccak-256 of all that is disclosed, 32 bytes
 * @returns the message of the signature
 */
export function disclosureHash(domain: bigint, digest: Uint8Array): bigint {
  const word = decodeWord(digest);
  return hashWords([DISCLOSURE_TAG + domain, word / HALF, word % HALF]);
}
