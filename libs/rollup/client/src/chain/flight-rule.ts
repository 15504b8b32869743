import { bumpedFees, firstFees, type FeeMarket, type Fees } from '@tetrad/rollup-chain';
import type { Hash } from '@tetrad/types';

/** A transaction under way: one nonce, whichever of its versions is mined. */
export interface Flight {
  readonly nonce: number;
  /** What its latest version offers. */
  readonly fees: Fees;
  /** Hashes of all versions, the latest last. */
  readonly hashes: readonly Hash[];
  /** The latest block when the latest version was sent. */
  readonly sentAt: number;
  /** Looks that found its nonce used and no receipt. */
  readonly missed: number;
}

/** What the chain says of it. */
export interface FlightView {
  /** Number of the latest block. */
  readonly block: number;
  /** Nonce of the account after that block. */
  readonly mined: number;
  /** Status of the receipt of one of its versions; undefined when none is mined. */
  readonly status: number | undefined;
  /** Whether the client has the latest version, pending or mined. */
  readonly isKnown: boolean;
  /** Block since which no earlier one is under way; undefined while one is. */
  readonly firstSince: number | undefined;
  readonly market: FeeMarket;
  /** Maximum fee for a unit of gas, in wei. */
  readonly maxFee: bigint;
}

export type FlightEnd = 'done' | 'reverted' | 'taken';

export type FlightStep =
  | { readonly do: 'wait' }
  /** It was mined; or another transaction of the account has its nonce, so that it never will be. */
  | { readonly do: 'end'; readonly outcome: FlightEnd }
  /** Its nonce is used, and there is no receipt: the client may be behind itself. */
  | { readonly do: 'lookAgain' }
  /** The same bytes again: the client has lost them. */
  | { readonly do: 'resend' }
  /** Another version, which offers more. */
  | { readonly do: 'raise'; readonly fees: Fees };

/** Looks without a receipt after which another transaction has the nonce. */
const MAX_MISSED = 3;
/** Blocks after which the first one under way offers more. */
const STALE_BLOCKS = 6;
/** Blocks that this account fills make gas dearer by an eighth each (EIP-1559). */
const MAX_TIMES = 4n;
/** Wei; where gas costs less than a quarter of it, this is the default. */
const LITTLE = 10_000_000n;

/** What to do about a transaction under way: a pure function of it and the chain. */
export function flightStep(flight: Flight, view: FlightView): FlightStep {
  if (view.status !== undefined) return { do: 'end', outcome: view.status === 1 ? 'done' : 'reverted' };
  if (flight.nonce < view.mined)
    return flight.missed < MAX_MISSED ? { do: 'lookAgain' } : { do: 'end', outcome: 'taken' };
  const fees = shouldRaise(flight, view) ? bumpedFees(flight.fees, view.market, view.maxFee) : undefined;
  if (fees !== undefined) return { do: 'raise', fees };
  return { do: view.isKnown ? 'wait' : 'resend' };
}

/** No block takes it as it is, or none has taken it for long. Each version has a block in which it may be mined. */
function shouldRaise(
  { fees, sentAt }: Flight,
  { block, firstSince, market: { baseFee } }: FlightView,
): boolean {
  if (block <= sentAt) return false;
  if (baseFee !== undefined && baseFee > fees.maxFee) return true;
  return firstSince !== undefined && block - Math.max(firstSince, sentAt) >= STALE_BLOCKS;
}

/**
 * What is paid for a unit of gas at most, where the user names no limit.
 *
 * @param gasPrice - what the client suggests now, in wei
 * @returns wei
 */
export function defaultMaxFee(gasPrice: bigint): bigint {
  const most = MAX_TIMES * gasPrice;
  return most > LITTLE ? most : LITTLE;
}

/**
 * What a transaction offers at first.
 *
 * @param market - what the chain asks
 * @param maxFee - maximum fee for a unit of gas, in wei
 * @returns undefined while gas is dearer
 */
export function feesWithin(market: FeeMarket, maxFee: bigint): Fees | undefined {
  const asked = firstFees(market);
  if ((market.baseFee ?? market.gasPrice) > maxFee) return undefined;
  const least = (fee: bigint) => (fee < maxFee ? fee : maxFee);
  return { maxFee: least(asked.maxFee), maxPriorityFee: least(asked.maxPriorityFee) };
}
