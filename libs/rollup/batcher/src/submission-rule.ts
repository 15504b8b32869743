import { bumpedFees, type FeeMarket, type Fees } from '@tetrad/rollup-chain';
import { backOffMs, type Hash } from '@tetrad/types';
import { isAboveLimit, offeredFees } from './offered-fees.js';

/** A transaction that was made for a batch, and what the chain says of it. */
export interface Attempt extends Fees {
  readonly hash: Hash;
  readonly nonce: number;
  /** In ms since the epoch. */
  readonly sentAt: number;
  /** Whether the client has it, pending or mined. */
  readonly isKnown: boolean;
  /** Of its receipt: whether it succeeded. Undefined when it is not mined. */
  readonly succeeded?: boolean | undefined;
  /** Whether it carries a batch that was taken back since, of another state than the one that is at the height now. */
  readonly isOutdated: boolean;
}

/** A proven batch and the chain as it is now. */
export interface SubmissionView {
  readonly height: number;
  readonly previousStateRoot: bigint;
  readonly nextStateRoot: bigint;
  readonly now: number;
  /** Batches on the chain, and the state root after the last of them. */
  readonly contract: { readonly height: number; readonly stateRoot: bigint };
  /** Nonce of the operator's next transaction. */
  readonly nonce: number;
  readonly market: FeeMarket;
  /** The transactions of this batch, oldest first; those that are given up are left out. */
  readonly attempts: readonly Attempt[];
  /** How often it was reverted, and when last. */
  readonly failures: number;
  readonly lastFailureAt?: number | undefined;
}

export interface SubmissionBounds {
  /** After how long a transaction that is not mined is replaced by one that offers more, in ms. */
  readonly bumpAfterMs: number;
  /** Maximum fee for a unit of gas, in wei. */
  readonly maxFeeLimit: bigint;
  /** Pause after a first failure, which doubles with each until the longest, in ms. */
  readonly retryMs: number;
  readonly longestRetryMs: number;
}

export type SubmissionStep =
  /** Nothing to do now; `why` says what keeps the batch from the chain, for people. */
  | { readonly do: 'wait'; readonly why?: string | undefined }
  /** The batch is on the chain; what is left is to see it there with enough successors. */
  | { readonly do: 'included' }
  /** Another batch is on the chain in its place, or it was made for another state. */
  | { readonly do: 'diverged' }
  /** A new transaction; one with the nonce of an earlier one takes its place. */
  | { readonly do: 'send'; readonly nonce: number; readonly fees: Fees }
  /** The same bytes again: the client has lost them. */
  | { readonly do: 'resend'; readonly hash: Hash }
  /** It was mined without effect. */
  | { readonly do: 'reverted'; readonly hash: Hash }
  /** Its nonce was used by another transaction: it can never be mined. */
  | { readonly do: 'dropped'; readonly hash: Hash };

/** The next step of the submission of a batch: a pure function of the stored rows and the state of the chain. */
export function nextStep(view: SubmissionView, bounds: SubmissionBounds): SubmissionStep {
  const { contract, height } = view;
  if (contract.height > height) return { do: 'included' };
  if (contract.height === height)
    return { do: contract.stateRoot === view.nextStateRoot ? 'included' : 'diverged' };
  if (contract.height < height - 1) return { do: 'wait' };
  if (contract.stateRoot !== view.previousStateRoot) return { do: 'diverged' };
  // Of several with one nonce that was mined and failed, that one says why.
  const lost =
    view.attempts.find(({ succeeded }) => succeeded === false) ??
    view.attempts.find((attempt) => isLost(attempt, view.nonce));
  if (lost !== undefined) return { do: lost.succeeded === false ? 'reverted' : 'dropped', hash: lost.hash };
  const last = view.attempts.at(-1);
  return last === undefined ? first(view, bounds) : again(last, view, bounds);
}

/** It was mined and failed, or cannot be mined any more. One that succeeded shows in the contract at the next look. */
function isLost(attempt: Attempt, nonce: number): boolean {
  if (attempt.succeeded !== undefined) return !attempt.succeeded;
  // A nonce above the account's has a hole before it, which a reorganisation leaves: nothing will ever fill it.
  return attempt.nonce !== nonce;
}

function first(view: SubmissionView, bounds: SubmissionBounds): SubmissionStep {
  const fees = isPausing(view, bounds) ? undefined : offeredFees(view.market, bounds.maxFeeLimit);
  return fees === undefined ? waiting(view, bounds) : { do: 'send', nonce: view.nonce, fees };
}

function again(last: Attempt, view: SubmissionView, bounds: SubmissionBounds): SubmissionStep {
  if (last.succeeded === true) return { do: 'wait' };
  if (last.isOutdated) return instead(last, view, bounds);
  const bumped = bumpedFees(last, view.market, bounds.maxFeeLimit);
  if (bumped !== undefined && view.now >= last.sentAt + bounds.bumpAfterMs)
    return { do: 'send', nonce: last.nonce, fees: bumped };
  if (last.isKnown || isPausing(view, bounds)) return waiting(view, bounds);
  return { do: 'resend', hash: last.hash };
}

/**
 * The batch takes the nonce of what was sent for one that was taken back. That is not sent again, as it only reverts, and
 * need not be waited for; while the client has it, only higher fees take its place.
 */
function instead(last: Attempt, view: SubmissionView, bounds: SubmissionBounds): SubmissionStep {
  if (isPausing(view, bounds)) return waiting(view, bounds);
  const { market } = view;
  const offered = last.isKnown ? undefined : offeredFees(market, bounds.maxFeeLimit);
  const fees = bumpedFees(last, market, bounds.maxFeeLimit) ?? offered;
  return fees === undefined ? waiting(view, bounds) : { do: 'send', nonce: last.nonce, fees };
}

function waiting({ market }: SubmissionView, { maxFeeLimit: limit }: SubmissionBounds): SubmissionStep {
  if (!isAboveLimit(market, limit)) return { do: 'wait' };
  return {
    do: 'wait',
    why: `the base fee of ${market.baseFee} wei is above the maximum gas price of ${limit} wei`,
  };
}

function isPausing({ lastFailureAt, now, failures }: SubmissionView, bounds: SubmissionBounds): boolean {
  return lastFailureAt !== undefined && now < lastFailureAt + retryDelay(failures, bounds);
}

/** @param failures - so far, from 1 */
export function retryDelay(failures: number, { retryMs, longestRetryMs }: SubmissionBounds): number {
  return backOffMs(failures, { firstMs: retryMs, maxMs: longestRetryMs });
}
