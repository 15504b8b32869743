import type { Address } from '@tetrad/types';

/** How far the clock of a node is ahead of this node's; undefined while that is unknown. Units: ms */
export interface ClockClaim {
  readonly address: Address;
  readonly offsetMs: number | undefined;
}

/**
 * How far the clocks of the peers are ahead of this node's: the median of all that are known and of this node's own, of an
 * even number the one nearer to it. So fewer than half of them cannot move it, and of two nodes neither is blamed. Where
 * validators are among the peers, the others do not count, as anyone may run many of those.
 *
 * @returns milliseconds; positive when this node's clock is slow
 */
export function clockOffset(claims: readonly ClockClaim[], validators: readonly Address[]): number {
  const known = new Set(validators);
  const ofValidators = claims.filter(({ address }) => known.has(address));
  const checked = ofValidators.length > 0 ? ofValidators : claims;
  const offsets = checked.flatMap(({ offsetMs }) => (offsetMs === undefined ? [] : [offsetMs]));
  const sorted = [0, ...offsets].sort((one, other) => one - other);
  const [low, high] = [sorted[(sorted.length - 1) >> 1] ?? 0, sorted[sorted.length >> 1] ?? 0];
  return Math.abs(low) <= Math.abs(high) ? low : high;
}
