import { firstFees, type FeeMarket, type Fees } from '@tetrad/rollup-chain';

/**
 * What a transaction offers that replaces none. Both fees keep the operator's limit, whatever the client says of the
 * market: a client may be broken or hostile, and the tip is paid in full.
 *
 * @param market - what the chain asks, as the client says
 * @param limit - maximum fee for a unit of gas, in wei
 * @returns undefined while the base fee is above the limit: no offer within it would be mined
 */
export function offeredFees(market: FeeMarket, limit: bigint): Fees | undefined {
  if (isAboveLimit(market, limit)) return undefined;
  const { maxFee, maxPriorityFee } = firstFees(market);
  return { maxFee: smaller(maxFee, limit), maxPriorityFee: smaller(maxPriorityFee, limit) };
}

/** Whether the chain asks more than the limit of everyone. Without a base fee, those who make its blocks decide. */
export function isAboveLimit({ baseFee }: FeeMarket, limit: bigint): boolean {
  return baseFee !== undefined && baseFee > limit;
}

const smaller = (one: bigint, other: bigint) => (one < other ? one : other);
