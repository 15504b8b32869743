import type { Keystore } from '@tetrad/keystore';
import { StateWarming } from '@tetrad/node-ledger';
import { openTransactionPool, type PoolLimits, type TransactionPool } from '@tetrad/node-pool';
import type { ServiceEnvironment } from '@tetrad/service';
import type { Address } from '@tetrad/types';
import type { NodeConfig } from './config.js';
import type { NodeModule } from './node-module.js';
import type { OpenChain } from './open-chain.js';

interface PoolSurroundings {
  readonly chain: OpenChain;
  readonly keystore: Keystore;
  /** Who is shown as the proposer where transactions are tried. */
  readonly proposer: Address;
}

/** The transactions that wait, as the journal has them; what comes is tried on the head (docs/adr/0135). */
export async function openPool(
  config: NodeConfig,
  { logger, metrics }: ServiceEnvironment,
  { chain, keystore, proposer }: PoolSurroundings,
): Promise<NodeModule<TransactionPool>> {
  const own = new Set(keystore.list());
  const { ledger } = chain;
  const pool = await openTransactionPool({
    ...{ chain: ledger, journal: chain.store.journal, logger, metrics },
    isOwnAccount: (address: Address) => own.has(address),
    limits: poolLimits(config),
  });
  const warming = new StateWarming({ ledger, pool, proposer, logger, metrics });
  return { parts: pool, readiness: {}, close: () => warming.stop() };
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
