import { isDatabaseUnavailable } from '@tetrad/db';
import { MessageError } from '@tetrad/node-consensus-bft';
import { startConsensus, type Consensus } from '@tetrad/node-consensus-bft-chain';
import { nodeIdFromBytes } from '@tetrad/node-peer';
import type { ReadinessReason } from '@tetrad/service';
import { OperatorError, systemClock } from '@tetrad/types';
import type { BftChainEngine } from '../open/chain-engine.js';
import type { Ordering, OrderingParts } from './ordering.js';

/**
 * Takes part in BFT consensus, over the connections to peers.
 * @throws OperatorError on a damaged record
 */
export async function startBft(engine: BftChainEngine, parts: OrderingParts): Promise<Ordering> {
  const { config, environment, store, pool, nodeKey, peers } = parts;
  const own = nodeIdFromBytes(nodeKey.publicKey);
  const { consensus: chain } = engine.ledger.genesis;
  // Where the file gives none it is the rule of the chain already, and transitions change it.
  const isRule = chain.engine !== 'raft' && !chain.isBlockPeriodGiven;
  const consensus = await startConsensus({
    ...engine,
    pool,
    logger: environment.logger,
    metrics: environment.metrics,
    key: nodeKey,
    records: store.consensusRecords,
    network: {
      broadcast: (message) => peers.broadcastConsensus(message),
      send: (to, message) => void peers.sendConsensus(to, message),
    },
    neighbours: {
      list: () =>
        peers
          .peers()
          .map(({ address, head, isUnrecorded }) => ({ address, head: head?.number, isUnrecorded })),
      areExpected: parts.staticNodes.some(({ nodeId }) => nodeId !== own),
      announceUnrecorded: (isUnrecorded) => peers.announceUnrecorded(isUnrecorded),
    },
    blockPeriodMs: isRule ? undefined : config.blockPeriod,
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
    reasons: () => [...troubleOf(consensus), ...silenceOf(consensus)],
  };
}

function troubleOf(consensus: Consensus): ReadinessReason[] {
  const trouble = consensus.trouble();
  if (trouble === undefined) return [];
  return [{ class: trouble.isOwn ? 'rollout' : 'operators', reason: trouble.reason }];
}

/**
 * A validator that does not know the others yet must not hold up their start. Once it does, and signs nothing still, none of
 * them may be stopped: without both the chain may stand.
 */
function silenceOf(consensus: Consensus): ReadinessReason[] {
  const silence = consensus.silence();
  if (silence === undefined) return [];
  return [{ class: silence.stage === 'waiting' ? 'operators' : 'rollout', reason: silence.reason }];
}
