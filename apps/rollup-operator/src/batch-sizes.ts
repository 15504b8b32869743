import type { IdentityConfig } from './config.js';

/** Sizes of batches in ascending order: those of `--batch-sizes`, or the one of `--batch-size`. */
export function batchSizesOf({
  batchSizes,
  batchSize,
}: Pick<IdentityConfig, 'batchSizes' | 'batchSize'>): readonly [number, ...number[]] {
  const [first = batchSize, ...others] = [...new Set(batchSizes)].sort((one, other) => one - other);
  return [first, ...others];
}
