/** What a contract gives the operator for requests (docs/adr/0241). */
export interface RequestRates {
  readonly stallTimeout: bigint;
  readonly requestsPerTimeout: bigint;
}

/**
 * How long a request is open before it is overdue, if as much is held all the time.
 *
 * @param part - units that it moves, and units that the contract holds of the token
 * @param rates - of the contract
 * @returns seconds
 */
export function requestWindow(
  { amount, held }: { readonly amount: bigint; readonly held: bigint },
  { stallTimeout, requestsPerTimeout }: RequestRates,
): bigint {
  const divisor = requestsPerTimeout * amount;
  const fair = (stallTimeout * held + divisor - 1n) / divisor;
  return fair > stallTimeout ? fair : stallTimeout;
}

/** The contract wants half of what is left of the open one, at the time of the block that takes it. */
const SHORTER = 3n;

/**
 * Whether to ask in place of what is open. That may be an operation of dust which the holder signed once: an operator that left it
 * undone can ask the contract for it, and be idle for years.
 *
 * @param window - of the request that is to replace it, in seconds
 * @param leftSeconds - until the open one is overdue
 * @returns whether the contract takes it
 */
export function replaces(window: bigint, leftSeconds: number): boolean {
  return SHORTER * window <= BigInt(Math.max(0, Math.floor(leftSeconds)));
}
