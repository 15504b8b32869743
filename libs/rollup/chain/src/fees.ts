/** What a transaction offers for gas, in wei. */
export interface Fees {
  readonly maxFee: bigint;
  readonly maxPriorityFee: bigint;
}

/** What the chain asks at the moment. */
export interface FeeMarket {
  /** Undefined on chains without one. */
  readonly baseFee: bigint | undefined;
  /** What the client suggests, base fee included. */
  readonly gasPrice: bigint;
}

/** Nodes take a replacement that offers a tenth more (geth, Besu, Nethermind); 1/8 is on the safe side of rounding. */
const BUMP_DIVISOR = 8n;

/** Enough for a base fee that doubles before the transaction is mined. Zero where gas is free. */
export function firstFees({ baseFee, gasPrice }: FeeMarket): Fees {
  if (baseFee === undefined) return { maxFee: gasPrice, maxPriorityFee: gasPrice };
  const tip = gasPrice > baseFee ? gasPrice - baseFee : 0n;
  return { maxFee: 2n * baseFee + tip, maxPriorityFee: tip };
}

/**
 * Fees of a transaction that replaces one which is not mined.
 * @returns undefined when higher fees would not help: gas is free on the chain, or the limit is reached
 */
export function bumpedFees(before: Fees, market: FeeMarket, limit: bigint): Fees | undefined {
  const asked = firstFees(market);
  if (before.maxFee === 0n && asked.maxFee === 0n) return undefined;
  const maxFee = larger(raised(before.maxFee), asked.maxFee);
  const maxPriorityFee = larger(raised(before.maxPriorityFee), asked.maxPriorityFee);
  if (maxFee > limit) return undefined;
  return { maxFee, maxPriorityFee: maxPriorityFee < maxFee ? maxPriorityFee : maxFee };
}

const raised = (fee: bigint) => fee + fee / BUMP_DIVISOR + 1n;
const larger = (a: bigint, b: bigint) => (a > b ? a : b);
