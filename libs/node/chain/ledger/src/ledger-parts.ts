import type { Executor, Genesis, MayTransact, StateCacheLimits, StateDatabase } from '@tetrad/node-execution';
import type { LedgerStore } from '@tetrad/node-store';
import type { Block, Clock, Logger, Metrics } from '@tetrad/types';
import type { ChainReader } from './chain-reader.js';
import type { ConsensusRules } from './consensus-rules.js';
import type { BlockHorizon } from './history/block-horizon.js';
import type { StateHorizon } from './history/state-horizon.js';
import type { SnapshotHistory } from './snapshot-history.js';

export interface LedgerOptions<Snapshot> {
  readonly genesis: Genesis;
  /** The consensus rules of the genesis file. */
  readonly rules: ConsensusRules<Snapshot>;
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
  /** Restricts which senders may transact; without it all may. */
  readonly mayTransact?: MayTransact;
  /** Whether receipts have revert reasons, and store them. */
  readonly keepsRevertReasons?: boolean;
  /** Blocks before the head whose states clients get; all that are stored when absent. */
  readonly stateHistory?: number | undefined;
}

/** What a ledger starts from. */
export interface LedgerParts<Snapshot> {
  readonly state: StateDatabase;
  readonly horizon: StateHorizon;
  readonly blockHorizon: BlockHorizon;
  readonly reader: ChainReader;
  readonly snapshots: SnapshotHistory<Snapshot>;
  readonly headBlock: Block;
  readonly totalTransactions: number;
}
