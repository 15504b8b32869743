import type { Enode, PeerNetwork } from '@tetrad/node-peer';
import type { TransactionPool } from '@tetrad/node-pool';
import type { LedgerStore } from '@tetrad/node-store';
import type { ServiceEnvironment } from '@tetrad/service';
import type { Address, Block } from '@tetrad/types';
import type { NodeConfig } from '../config.js';
import type { ChainEngine } from './chain-engine.js';
import type { Ordering } from './ordering.js';
import { startBft } from './start-bft.js';
import { startRaft } from './start-raft.js';

/** Dependencies of an engine. */
export interface OrderingParts {
  readonly config: NodeConfig;
  readonly environment: ServiceEnvironment;
  readonly store: LedgerStore;
  readonly pool: TransactionPool;
  readonly nodeKey: Uint8Array;
  /** Decodes the RLP of a foreign block; only its senders are verified. Fails: InvalidBlockError */
  readonly decodeBlock: (encoded: Uint8Array) => Promise<Block>;
  /** In the configured order; this node may be among them. */
  readonly staticNodes: readonly Enode[];
  readonly peers: Pick<PeerNetwork, 'broadcastConsensus' | 'peers' | 'sendConsensus'>;
}

/**
 * Takes part in ordering blocks from the head on.
 *
 * Out:   undefined on a node that only follows the chain
 * Fails: OperatorError with one line for the operator
 */
export async function startOrdering(
  engine: ChainEngine,
  parts: OrderingParts,
): Promise<Ordering | undefined> {
  switch (engine.kind) {
    case 'bft':
      return parts.config.validator ? startBft(engine, parts) : undefined;
    case 'raft':
      return startRaft(engine, parts);
  }
}

/** Recipients of the engine's messages: the validators of the next block. */
export function decidersOf(engine: ChainEngine): readonly Address[] {
  return engine.kind === 'bft' ? engine.ledger.snapshot().validators : [];
}
