import type { Address } from '@tetrad/types';
import { hashWords } from './poseidon2.js';

/** Above every tag of an operation, which is `domain · 8 + kind`, so that no signature of an operation is one of a claim. */
const CLAIM_TAG = 2n ** 252n;

/**
 * What the holder of an account signs to be paid by a frozen rollup: `H(2^252 + domain, account, recipient)`.
 *
 * @param domain - which rollup (`rollupDomain`)
 * @param claim - the account, and who is paid all that it has
 * @returns the message of the signature
 */
export function claimHash(
  domain: bigint,
  { accountId, recipient }: { readonly accountId: number; readonly recipient: Address },
): bigint {
  return hashWords([CLAIM_TAG + domain, BigInt(accountId), BigInt(recipient)]);
}
