import { isDatabaseUnavailable } from '@tetrad/db';
import { MessageError } from '@tetrad/node-consensus-bft';
import { startConsensus } from '@tetrad/node-consensus-bft-chain';
import { OperatorError, systemClock } from '@tetrad/types';
import type { BftChainEngine } from './chain-engine.js';
import type { Ordering, OrderingParts } from './ordering.js';

/** Takes part in BFT consensus, over the connections to peers. Fails: OperatorError on a damaged record */
export async function startBft(engine: BftChainEngine, parts: OrderingParts): Promise<Ordering> {
  const { config, environment, store, pool, nodeKey, peers } = parts;
  const consensus = await startConsensus({
    ...{ ...engine, pool, logger: environment.logger, metrics: environment.metrics },
    privateKey: nodeKey,
    records: store.consensusRecords,
    network: {
      broadcast: (message) => peers.broadcastConsensus(message),
      send: (to, message) => void peers.sendConsensus(to, message),
    },
    blockPeriodMs: config.blockPeriod,
    clock: systemClock,
    isDatabaseUnavailable,
  }).catch((error: unknown) => {
    if (error instanceof MessageError)
      throw new OperatorError(`the stored record of what this validator signed is damaged: ${error.message}`);
    throw error;
  });
  return {
    ...consensus,
    onMessage: (message) => consensus.onMessage(message).outcome,
    // A node still serves reads and takes transactions. Nodes that cannot agree need a rollout, or a drained host, to go on.
    reasons: () => {
      const trouble = consensus.trouble();
      return trouble === undefined
        ? []
        : [{ class: trouble.isOwn ? 'rollout' : 'operators', reason: trouble.reason }];
    },
  };
}
