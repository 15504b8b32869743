import type { Keystore } from '@tetrad/keystore';
import type { MayTransact } from '@tetrad/node-execution';
import { StateWarming, type Ledger } from '@tetrad/node-ledger';
import {
  openTransactionPool,
  type PoolChain,
  type PoolLimits,
  type TransactionPool,
  type TransactionPoolOptions,
} from '@tetrad/node-pool';
import type { ServiceEnvironment } from '@tetrad/service';
import type { Address, Hash } from '@tetrad/types';
import type { NodeConfig } from '../options/config.js';
import type { NodeModule } from './node-module.js';
import type { OpenChain } from './open-chain.js';

interface PoolSurroundings {
  readonly chain: OpenChain;
  readonly keystore: Keystore;
  /** Shown as the proposer where transactions are tried. */
  readonly proposer: Address;
  readonly permissions: {
    readonly mayEnterPool?: MayTransact;
    readonly submissionBarrier?: TransactionPoolOptions['submissionBarrier'];
  };
  /** Told of each transaction that the pool accepts. */
  readonly traces: { accepted(hash: Hash): void } | undefined;
}

/** Opens the pool from the journal; new transactions are tried on the head (docs/adr/0106). */
export async function openPool(
  config: NodeConfig,
  { logger, metrics }: ServiceEnvironment,
  { chain, keystore, proposer, permissions, traces }: PoolSurroundings,
): Promise<NodeModule<TransactionPool>> {
  const own = new Set(keystore.list());
  const { ledger } = chain;
  const { mayEnterPool, submissionBarrier } = permissions;
  const pool = await openTransactionPool({
    chain: mayEnterPool === undefined ? ledger : poolChain(ledger, mayEnterPool),
    journal: chain.store.journal,
    logger,
    metrics,
    ...(submissionBarrier && { submissionBarrier }),
    isOwnAccount: (address: Address) => own.has(address),
    limits: poolLimits(config),
  });
  // Before the peers, which get the transaction with its trace.
  if (traces !== undefined) pool.onTransaction(({ hash }) => traces.accepted(hash));
  const warming = new StateWarming({ ledger, pool, proposer, logger, metrics });
  return { parts: pool, readiness: {}, close: () => warming.stop() };
}

/** The chain for a pool whose permission rule differs from that of blocks. */
function poolChain(ledger: Ledger, mayTransact: MayTransact): PoolChain {
  const { genesis, executor, clock } = ledger;
  return {
    genesis,
    executor,
    clock,
    mayTransact,
    head: () => ledger.head(),
    secondsOf: (header) => ledger.secondsOf(header),
    worldAt: (block) => ledger.worldAt(block),
    onBlock: (listener) => ledger.onBlock(listener),
  };
}

function poolLimits(config: NodeConfig): Partial<PoolLimits> {
  const { poolMaxQueued, poolMaxQueuedBytes, poolMaxBytesPerAccount } = config;
  return {
    total: config.poolMaxTransactions,
    totalBytes: config.poolMaxBytes,
    ...(poolMaxQueued === undefined ? {} : { queued: poolMaxQueued }),
    ...(poolMaxQueuedBytes === undefined ? {} : { queuedBytes: poolMaxQueuedBytes }),
    perAccount: config.poolMaxPerAccount,
    ...(poolMaxBytesPerAccount === undefined ? {} : { perAccountBytes: poolMaxBytesPerAccount }),
    transactionBytes: config.poolMaxTransactionBytes,
    queuedLifetimeMs: config.poolQueuedLifetime,
    minimumGasPrice: 0n,
  };
}
