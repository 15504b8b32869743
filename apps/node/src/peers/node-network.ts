import { isDatabaseUnavailable } from '@tetrad/db';
import { encodeBlock } from '@tetrad/node-block';
import { startConsensus, type Consensus } from '@tetrad/node-consensus-bft-chain';
import { createTransactionDecoder } from '@tetrad/node-execution';
import { MessageError } from '@tetrad/node-consensus-bft';
import { OwnKeyElsewhere, PeerNetwork, type ConsensusOutcome, type PeerPorts } from '@tetrad/node-peer';
import type { TransactionPool } from '@tetrad/node-pool';
import type { ServiceEnvironment } from '@tetrad/service';
import { OperatorError, systemClock } from '@tetrad/types';
import type { NodeConfig } from '../config.js';
import type { NodeModule } from '../node-module.js';
import type { BftParts, OpenChain } from '../open-chain.js';
import type { Permissions } from '../permissions/open-permissions.js';
import { chainPort } from './chain-port.js';
import { poolPort } from './pool-port.js';
import { readStaticNodes } from './static-nodes.js';

/** For the senders of downloaded blocks: one keeps up with what the main thread executes (docs/adr/0048). */
const DECODER_THREADS = 1;

export interface NodeNetworkParts extends OpenChain {
  readonly pool: TransactionPool;
  readonly nodeKey: Uint8Array;
  readonly clientVersion: string;
  readonly permissions: Pick<Permissions, 'isAllowed'>;
}

/** The node among its peers, and its part in deciding on blocks. */
export interface NodeNetwork {
  readonly peers: PeerNetwork;
  /** Absent on a node that is not to take part. */
  readonly consensus: Consensus | undefined;
}

/** Opens the peer port and joins the others. Fails: OperatorError with one line for the operator. */
export async function joinNetwork(
  config: NodeConfig,
  environment: ServiceEnvironment,
  parts: NodeNetworkParts,
): Promise<NodeModule<NodeNetwork>> {
  const { logger } = environment;
  const elsewhere = new OwnKeyElsewhere(systemClock, logger);
  const { chainId } = parts.genesis;
  const { isAllowed } = parts.permissions;
  const decoder = createTransactionDecoder({ chainId, workers: DECODER_THREADS, logger });
  // Peers and consensus know of each other; what comes before there is consensus is of no use to it.
  let consensus: Consensus | undefined;
  const ports: PeerPorts = {
    chain: chainPort(parts.ledger, parts.pool, decoder),
    pool: poolPort(parts.pool, chainId),
    consensus: {
      onMessage: (message): ConsensusOutcome => consensus?.onMessage(message).outcome ?? 'ignored',
      validators: () => parts.bft?.ledger.snapshot().validators ?? [],
    },
    ...(isAllowed && { isAllowed }),
    onDuplicateKey: (duplicate) => elsewhere.report(duplicate),
  };
  const peers = await createPeers(config, environment, { ...parts, ports });
  const forgetBlocks = parts.ledger.onBlock((block) => peers.announceBlock(block, () => encodeBlock(block)));
  await peers.start();
  const stop = async () => {
    forgetBlocks();
    await consensus?.stop();
    await peers.stop();
    await decoder.close();
  };
  try {
    const { bft } = parts;
    if (config.validator && bft !== undefined)
      consensus = await takePart(config, environment, { ...parts, bft, peers });
  } catch (error) {
    await stop();
    throw error;
  }
  const started = consensus;
  return {
    parts: { peers, consensus: started },
    readiness: { consensus: () => started?.trouble(), peers: () => elsewhere.trouble() },
    close: stop,
  };
}

async function createPeers(
  config: NodeConfig,
  { logger, metrics }: ServiceEnvironment,
  { ledger, nodeKey, clientVersion, ports }: NodeNetworkParts & { ports: PeerPorts },
): Promise<PeerNetwork> {
  const genesis = await ledger.findBlock(0);
  if (genesis === undefined) throw new OperatorError('the database lacks block 0');
  return new PeerNetwork({
    privateKey: nodeKey,
    chainId: ledger.genesis.chainId,
    genesisHash: genesis.hash,
    name: clientVersion,
    listen: { host: config.peerListenHost, port: config.peerListenPort },
    advertisedHost: config.p2pHost ?? config.peerListenHost,
    staticPeers: await readStaticNodes(config.peers, config.staticNodesFile),
    peerExchange: config.peerExchange,
    limits: { maxPeers: config.maxPeers },
    clock: systemClock,
    ...{ logger, metrics, ports },
  });
}

function takePart(
  config: NodeConfig,
  { logger, metrics }: ServiceEnvironment,
  { bft, store, pool, nodeKey, peers }: NodeNetworkParts & { bft: BftParts; peers: PeerNetwork },
): Promise<Consensus> {
  return startConsensus({
    ...{ ...bft, pool, logger, metrics },
    privateKey: nodeKey,
    records: store.consensusRecords,
    network: {
      broadcast: (message) => peers.broadcastConsensus(message),
      send: (to, message) => void peers.sendConsensus(to, message),
      // Senders that cannot reach everybody ask for it in the envelope, and peers pass it on (docs/adr/0036).
      relay: () => undefined,
    },
    blockPeriodMs: config.blockPeriod,
    clock: systemClock,
    isDatabaseUnavailable,
  }).catch((error: unknown) => {
    if (error instanceof MessageError)
      throw new OperatorError(`the stored record of what this validator signed is damaged: ${error.message}`);
    throw error;
  });
}
