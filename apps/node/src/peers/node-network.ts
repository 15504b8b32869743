import type { SigningKey } from '@tetrad/crypto';
import { encodeBlock } from '@tetrad/node-block';
import { DecodedTransactions, createTransactionDecoder } from '@tetrad/node-execution';
import {
  FollowingWatch,
  OwnKeyElsewhere,
  PeerNetwork,
  nodeIdFromBytes,
  type ChainPort,
  type ConsensusOutcome,
  type Enode,
  type PeerPorts,
} from '@tetrad/node-peer';
import type { TransactionPool } from '@tetrad/node-pool';
import type { ReadinessChecks, ServiceEnvironment } from '@tetrad/service';
import { OperatorError, systemClock } from '@tetrad/types';
import type { NodeConfig } from '../options/config.js';
import type { HandshakeKeys } from '../open/handshake-keys.js';
import type { NodeModule } from '../open/node-module.js';
import type { OpenChain } from '../open/open-chain.js';
import type { Ordering } from '../ordering/ordering.js';
import { decidersOf, startOrdering } from '../ordering/start-ordering.js';
import type { Permissions } from '../permissions/open-permissions.js';
import type { TransactionTraces } from '../tracing/transaction-traces.js';
import { chainPort } from './chain-port.js';
import { orderedChainPort } from './ordered-chain-port.js';
import { poolPort } from './pool-port.js';
import { statePort } from './state-port.js';
import { readStaticNodes } from '../open/static-nodes.js';

/** Recovers the senders of downloaded blocks: one thread keeps up with execution on the main thread (docs/adr/0014). */
const DECODER_THREADS = 1;

export interface NodeNetworkParts extends OpenChain {
  readonly pool: TransactionPool;
  readonly nodeKey: SigningKey;
  readonly handshakeKeys: HandshakeKeys;
  readonly clientVersion: string;
  readonly permissions: Pick<Permissions, 'isAllowed'>;
  readonly traces: TransactionTraces | undefined;
  /** Absent on a node without a transaction manager. */
  readonly notices: PeerPorts['notices'];
}

/** The peer network of the node, and its part in ordering blocks. */
export interface NodeNetwork {
  readonly peers: PeerNetwork;
  /** Absent on a node that is not to take part. */
  readonly ordering: Ordering | undefined;
}

/**
 * Opens the peer port and joins the network.
 * @throws OperatorError with one line for the operator
 */
export async function joinNetwork(
  config: NodeConfig,
  environment: ServiceEnvironment,
  parts: NodeNetworkParts,
): Promise<NodeModule<NodeNetwork>> {
  const { logger } = environment;
  const elsewhere = new OwnKeyElsewhere(systemClock, logger);
  const { chainId } = parts.genesis;
  const decoder = createTransactionDecoder({ chainId, workers: DECODER_THREADS, logger });
  const decoded = new DecodedTransactions({ chainId, decoder });
  // Peers and ordering refer to each other; messages before the ordering is started are dropped.
  let ordering: Ordering | undefined;
  const chain = chainPort(parts.ledger, parts.pool, decoded);
  const ports = peerPorts(parts, { chain, decoded, elsewhere, ordering: () => ordering });
  const staticNodes = await readStaticNodes(config.peers, config.staticNodesFile);
  const peers = await createPeers(config, environment, { ...parts, ports, staticNodes });
  const forgetBlocks = parts.ledger.onBlock((block) => peers.announceBlock(block, () => encodeBlock(block)));
  await peers.start();
  const stop = async () => {
    forgetBlocks();
    await ordering?.stop();
    await peers.stop();
    await decoder.close();
  };
  try {
    const decodeBlock = (encoded: Uint8Array) => chain.decode(encoded);
    const own = { config, environment, peers, staticNodes, decodeBlock };
    ordering = await startOrdering(parts.engine, { ...parts, ...own });
  } catch (error) {
    await stop();
    throw error;
  }
  const started = ordering;
  return {
    parts: { peers, ordering: started },
    readiness: { consensus: () => started?.reasons(), ...followingChecks(config, { peers, elsewhere }) },
    close: stop,
  };
}

interface Reached {
  readonly chain: ChainPort;
  readonly decoded: DecodedTransactions;
  readonly elsewhere: OwnKeyElsewhere;
  /** Undefined before it is started. */
  readonly ordering: () => Ordering | undefined;
}

/** What peers reach of this node. */
function peerPorts(parts: NodeNetworkParts, { chain, decoded, elsewhere, ordering }: Reached): PeerPorts {
  const { engine, permissions, pool, traces, notices } = parts;
  const { isAllowed } = permissions;
  return {
    chain: engine.kind === 'bft' ? chain : orderedChainPort(chain, () => ordering()?.fromPeers),
    consensus: {
      onMessage: (message): ConsensusOutcome => ordering()?.onMessage(message) ?? 'ignored',
      validators: () => decidersOf(engine),
    },
    state: statePort(parts),
    pool: poolPort(pool, decoded),
    isAllowed: (request) =>
      (isAllowed?.(request) ?? true) && (ordering()?.isMember?.(request.nodeId) ?? true),
    onDuplicateKey: (duplicate) => elsewhere.report(duplicate),
    traces,
    notices,
  };
}

/** Checks of what the peers show. */
function followingChecks(
  { readyBlocksBehind: maxBlocksBehind }: NodeConfig,
  { peers, elsewhere }: { readonly peers: PeerNetwork; readonly elsewhere: OwnKeyElsewhere },
): ReadinessChecks {
  const standing = () => peers.standing();
  const following = new FollowingWatch({ clock: systemClock, maxBlocksBehind, standing });
  return {
    sync: () => following.lag(),
    clock: () => {
      const trouble = peers.clockTrouble();
      if (trouble === undefined) return undefined;
      return { class: trouble.isBad ? ('clients' as const) : ('operators' as const), reason: trouble.reason };
    },
    // Once it has tried, a lost network is no reason to stop serving reads: when it is lost between all nodes, no other serves them.
    peers: () => {
      const isolation = following.isolation();
      const duplicate = elsewhere.trouble();
      return [
        ...(duplicate === undefined ? [] : [{ class: 'rollout' as const, reason: duplicate }]),
        ...(isolation === undefined
          ? []
          : [
              {
                class: isolation.isStarting ? ('clients' as const) : ('operators' as const),
                reason: isolation.reason,
              },
            ]),
      ];
    },
  };
}

/**
 * The peers of the node; nothing runs yet.
 * @throws OperatorError
 */
export async function createPeers(
  config: NodeConfig,
  { logger, metrics }: ServiceEnvironment,
  {
    ledger,
    handshakeKeys,
    clientVersion,
    ports,
    staticNodes,
  }: Pick<NodeNetworkParts, 'ledger' | 'handshakeKeys' | 'clientVersion'> & {
    readonly ports: PeerPorts;
    readonly staticNodes: readonly Enode[];
  },
): Promise<PeerNetwork> {
  const genesis = await ledger.findBlock(0);
  if (genesis === undefined) throw new OperatorError('the database lacks block 0');
  const own = nodeIdFromBytes(handshakeKeys.dialer.publicKey);
  const raftPort = staticNodes.find(({ nodeId }) => nodeId === own)?.raftport;
  return new PeerNetwork({
    key: handshakeKeys.dialer,
    listenerKey: handshakeKeys.listener,
    chainId: ledger.genesis.chainId,
    genesisHash: genesis.hash,
    name: clientVersion,
    listen: { host: config.peerListenHost, port: config.peerListenPort },
    advertisedHost: config.p2pHost ?? config.peerListenHost,
    staticPeers: staticNodes,
    raftPort,
    peerExchange: config.peerExchange,
    limits: { maxPeers: config.maxPeers },
    clock: systemClock,
    logger,
    metrics,
    ports,
  });
}
