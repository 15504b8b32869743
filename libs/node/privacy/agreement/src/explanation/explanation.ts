import type { AgreementBlock, KeyPair } from '@tetrad/node-store';
import type { Address, Hash } from '@tetrad/types';
import type { OutcomeDifference } from '../difference/first-difference.js';
import type { TransactionOutcome } from '../outcome/transaction-outcome.js';
import type { RuleDifference } from '../statement/stated-rules.js';

/** One of the two ends of a pair. */
export type End = 'own' | 'other';

/** Where in the chain a transaction is. */
export interface Place {
  readonly block: number;
  readonly transaction: Hash;
}

/** What differs first between two parties. */
export type Difference =
  | OutcomeDifference
  /** One of them does not have the transaction. */
  | { readonly field: 'transaction'; readonly at: End }
  /** Both have other digests, and the outcome of the other party is not known here. */
  | { readonly field: 'outcome' }
  /** That end does not disclose its outcome. */
  | { readonly field: 'undisclosed'; readonly at: End };

/**
 * Why two parties differ.
 *
 * - `leftOut`: the end was not sent earlier transactions that entered the contract
 * - `payloadLost`: the manager of the end does not have the payload, or has answered 404 when the node asked
 * - `publicReads`: the end did not enter private contracts that the other one entered, and read public state at their addresses
 * - `rules`: the end says that it executes by other rules, which nothing proves
 */
export interface Cause {
  readonly kind: 'leftOut' | 'payloadLost' | 'publicReads' | 'rules';
  readonly at: End;
  /** Whether what this node has proves it; otherwise it is what fits. */
  readonly isCertain: boolean;
  readonly transactions?: readonly Hash[];
  readonly contracts?: readonly Address[];
  /** What both ends have said of their rules. */
  readonly rules?: readonly RuleDifference[];
  /** Whether the manager of this node has the payload by now. */
  readonly isBack?: boolean;
}

/** The first transaction since the last agreement on which two parties differ about a contract, and why. */
export interface PairExplanation extends KeyPair {
  /** `leftOut` where the other party was left out, and no transaction of both came after that. */
  readonly agreement: 'diverged' | 'undisclosed' | 'leftOut';
  /** The first transaction that differs; of `leftOut` the first that was not sent to the other party. */
  readonly first: Place;
  readonly difference: Difference | undefined;
  /** Those that are certain first; none where this node cannot know. */
  readonly causes: readonly Cause[];
  /** The last transaction before it on which both agreed. */
  readonly agreed: Place | undefined;
  /** Whether all was looked at back to the last agreement, or to the first transaction. */
  readonly isWhole: boolean;
  /** Of which rules both have said something else; undefined where one of them has said nothing. */
  readonly rules: readonly RuleDifference[] | undefined;
  /** What both have signed of the block. */
  readonly row: AgreementBlock | undefined;
  /** What the transaction did here; undefined where this node does not have it. */
  readonly outcome: TransactionOutcome | undefined;
}
