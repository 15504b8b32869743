/** How many of N validators may be faulty: ceil(N/3) - 1. */
export function faultTolerance(validators: number): number {
  return Math.ceil(validators / 3) - 1;
}

/** Seals that make a block final: ceil(2N/3), the only rule that is safe for every N (docs/spec/bft.md#sizes). */
export function quorumOf(validators: number): number {
  return Math.ceil((2 * validators) / 3);
}

/** Seals demanded by chains that were started before ceil2Nby3Block: 2F+1. */
export function legacyQuorumOf(validators: number): number {
  return 2 * faultTolerance(validators) + 1;
}
