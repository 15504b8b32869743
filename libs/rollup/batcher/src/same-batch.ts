import { isDeepStrictEqual } from 'node:util';
import type { PublishedBatch } from '@tetrad/rollup-chain';

const FIELDS = [
  ...(['nextStateRoot', 'ordersRoot', 'ciphertextCommitment'] as const),
  ...(['headers', 'recipients', 'leaves', 'orders', 'ciphertexts'] as const),
] as const satisfies readonly (keyof PublishedBatch)[];

/**
 * Whether two batches are the same in all that the contract publishes. The state root alone does not say who is paid by a
 * transfer out, nor what its texts are.
 */
export function isSameBatch(one: PublishedBatch, other: PublishedBatch): boolean {
  return FIELDS.every((field) => isDeepStrictEqual(one[field], other[field]));
}
