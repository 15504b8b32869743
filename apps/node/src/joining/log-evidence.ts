import { EtcdError } from '@tetrad/node-etcd';
import {
  EtcdLogStore,
  LogError,
  LogKeys,
  newestOfLog,
  type LogHead,
  type RaftSnapshot,
} from '@tetrad/node-consensus-raft';
import { LogEvidence, type EvidenceOfRun } from '@tetrad/node-state-sync';
import type { ServiceEnvironment } from '@tetrad/service';
import { OperatorError, pause, systemClock } from '@tetrad/types';
import type { RaftChainEngine } from '../open/chain-engine.js';
import type { NodeConfig } from '../options/config.js';
import { openEtcd } from '../options/etcd-options.js';

/** The log in etcd as evidence of headers, and what ends its use. */
export interface OpenEvidence {
  readonly evidence: EvidenceOfRun<RaftSnapshot>;
  close(): Promise<void>;
}

/** Pause before etcd is asked again that did not answer. */
const AGAIN_MS = 1_000;

/**
 * Opens the log in etcd for a node that joins.
 * @throws OptionError, StartupError
 */
export function openLogEvidence(
  chain: RaftChainEngine,
  config: NodeConfig,
  environment: ServiceEnvironment,
  signal: AbortSignal,
): OpenEvidence {
  const { genesis } = chain.ledger;
  const etcd = openEtcd(config, environment);
  const store = new EtcdLogStore(etcd);
  // No block but block 0 is here.
  const keys = new LogKeys(genesis.chainId, chain.ledger.head().hash);
  const newest = async (): Promise<LogHead | undefined> => {
    for (;;) {
      signal.throwIfAborted();
      try {
        return await newestOfLog(store, keys);
      } catch (error) {
        if (error instanceof LogError) throw new OperatorError(error.message, { cause: error });
        if (!(error instanceof EtcdError)) throw error;
        environment.logger.warn('waiting for etcd, which names the newest block', { reason: error.message });
        await pause(systemClock, AGAIN_MS, signal);
      }
    }
  };
  return {
    evidence: (pool) => new LogEvidence({ chain, newest, pool, clock: systemClock }),
    close: () => etcd.close(),
  };
}
