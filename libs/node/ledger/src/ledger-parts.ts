import type { Executor, Genesis, StateCacheLimits, StateDatabase } from '@tetrad/node-execution';
import type { LedgerStore } from '@tetrad/node-store';
import type { Block, Clock, Logger, Metrics } from '@tetrad/types';
import type { ChainReader } from './chain-reader.js';
import type { ChainRules } from './chain-rules.js';
import type { ValidatorHistory } from './validator-history.js';

export interface LedgerOptions {
  readonly genesis: Genesis;
  readonly store: LedgerStore;
  readonly executor: Executor;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly stateCache?: StateCacheLimits;
  /** Transactions whose blocks and receipts are kept in memory. */
  readonly cachedTransactions?: number;
  /** Seconds that a block may be ahead of this node's clock. */
  readonly allowedFutureSeconds?: number;
}

/** What a ledger starts from. */
export interface LedgerParts {
  readonly state: StateDatabase;
  readonly reader: ChainReader;
  readonly rules: ChainRules;
  readonly validators: ValidatorHistory;
  readonly headBlock: Block;
  readonly totalTransactions: number;
}
