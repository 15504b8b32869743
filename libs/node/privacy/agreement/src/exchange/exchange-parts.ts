import type { SigningKey } from '@tetrad/crypto';
import type { AgreementStore } from '@tetrad/node-store';
import type { ManagerClient } from '@tetrad/transaction-manager-client';
import type { Clock, Counter, Hash, Logger } from '@tetrad/types';
import type { ContractRepairs } from '../repair/contract-repairs.js';
import type { BlockResults } from '../results/block-results.js';
import type { ExecutionRules } from '../statement/stated-rules.js';

/** Kinds of messages between managers. Source: docs/spec/agreement-statements.md#messages */
export const KINDS = {
  statement: 'agreement-statement',
  /** A statement that answers one, and is not answered. */
  reply: 'agreement-reply',
  list: 'agreement-list',
  outcome: 'agreement-outcome',
  /** By which rules a node executes; nodes of before drop it. */
  rules: 'agreement-rules',
} as const;

/** The rows of pairs and blocks. */
export type ExchangeStore = Pick<
  AgreementStore,
  | 'findHead'
  | 'stateBlocks'
  | 'skipTo'
  | 'findKnown'
  | 'findBlock'
  | 'listBlock'
  | 'listBusy'
  | 'listDue'
  | 'save'
  | 'settle'
  | 'hear'
  | 'hasten'
  | 'countUnanswered'
  | 'putOff'
  | 'setBack'
  | 'countAwaited'
>;

/** What stating results, sending and hearing need alike. */
export interface ExchangeParts {
  readonly chainId: bigint;
  readonly genesisHash: Hash;
  readonly nodeKey: Pick<SigningKey, 'sign'>;
  readonly store: ExchangeStore;
  readonly manager: Pick<
    ManagerClient,
    'features' | 'sendMessages' | 'unreadMessages' | 'acknowledgeMessages'
  >;
  readonly results: Pick<BlockResults, 'read'>;
  /** The last block that private state has followed; -1 before the first. */
  readonly followed: () => number;
  readonly hashOf: (block: number) => Promise<Hash | undefined>;
  /** By which rules this node executes private transactions of a block. */
  readonly rulesAt: (block: number) => Promise<ExecutionRules>;
  /** Number of transactions of a block that this node has. */
  readonly countTransactions: (block: number) => Promise<number>;
  readonly counters: ExchangeCounters;
  /** Whether blocks are imported that go before what is stated of them; absent where they never are. */
  readonly importsFirst?: (() => boolean) | undefined;
  /** Hears messages about repairs, and tells of them; absent where they are dropped. */
  readonly repairs?: Pick<ContractRepairs, 'hear' | 'tell'> | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface ExchangeCounters {
  /** Messages of other parties, by what became of them. */
  readonly heard: Counter;
  /** Messages to other parties that our manager has taken, by kind. */
  readonly sent: Counter;
}
