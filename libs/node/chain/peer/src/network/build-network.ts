import type { Clock, Logger } from '@tetrad/types';
import { BlockGossip } from '../gossip/block-gossip.js';
import { ConsensusRelay } from '../gossip/consensus-relay.js';
import { TransactionFetcher } from '../gossip/transaction-fetcher.js';
import { TransactionGossip } from '../gossip/transaction-gossip.js';
import { addressOfNode } from '../identity/node-id.js';
import type { PeerLimits } from '../limits.js';
import type { Peer } from '../peers/peer.js';
import type { Stopwatch } from '../peers/stopwatch.js';
import type { PeerPorts } from '../ports.js';
import { HandshakeResponder } from '../session/handshake-responder.js';
import { BlockDownload } from '../sync/block-download.js';
import { ChainSync } from '../sync/chain-sync.js';
import { StatePeers } from '../sync/state-peers.js';
import { PeerServer } from '../transport/peer-server.js';
import { Admission } from './admission.js';
import { Connections, type NetworkParts } from './connections.js';
import { Dialer } from './dialer.js';
import { FrameRouter } from './frame-router.js';
import { HandshakeLimit } from './handshake-limit.js';
import { Liveness } from './liveness.js';
import { handleMessages, type MessageReceivers } from './message-handlers.js';
import { Messenger } from './messenger.js';
import { PeerExchange } from './peer-exchange.js';
import { RequestHandler, headOf } from './request-handler.js';
import { StateService } from './state-service.js';

/** The parts of a peer network, wired to each other. */
export interface BuiltNetwork extends MessageReceivers {
  readonly messenger: Messenger;
  readonly liveness: Liveness;
  readonly dialer: Dialer;
  readonly exchange: PeerExchange;
  readonly server: PeerServer;
  readonly states: StatePeers;
}

/** Parts that most other parts depend on. */
interface Wiring {
  readonly parts: NetworkParts;
  readonly ports: PeerPorts;
  readonly limits: PeerLimits;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
  readonly stopwatch: Stopwatch;
  readonly connections: Connections;
  readonly messenger: Messenger;
  readonly connected: () => readonly Peer[];
  readonly request: Messenger['request'];
  readonly send: Messenger['send'];
  readonly penalise: Connections['penalise'];
}

/** Builds the parts; nothing runs yet. */
export function buildNetwork(
  parts: NetworkParts,
  onChange: (kind: 'connected' | 'disconnected', peer: Peer) => void,
): BuiltNetwork {
  const connections = new Connections(parts, {
    handle: (peer) => handleMessages(peer, receivers),
    onConnected: (peer) => {
      messenger.wakeAll(peer);
      receivers.transactions.announcePool(peer);
      onChange('connected', peer);
    },
    onDisconnected: (peer) => onChange('disconnected', peer),
  });
  const messenger = new Messenger(connections);
  const wiring: Wiring = {
    parts,
    ...parts,
    connections,
    messenger,
    connected: () => connections.table.connected(),
    request: (...request) => messenger.request(...request),
    send: (peer, message) => messenger.send(peer, message),
    penalise: (peer, penalty, detail) => connections.penalise(peer, penalty, detail),
  };
  const receivers: MessageReceivers = { connections, ...buildReceivers(wiring) };
  const states = new StatePeers(wiring);
  return { ...receivers, messenger, states, ...buildAdmission(wiring, receivers) };
}

function buildReceivers(wiring: Wiring): Omit<MessageReceivers, 'connections'> {
  const { parts, ports, limits, logger, connections } = wiring;
  const onTrouble = (error: unknown) => logger.error('peer message could not be handled', { error });
  const validators = () => ports.consensus.validators();
  const download: BlockDownload = new BlockDownload({
    ...wiring,
    ...ports,
    hasOther: (source) => sync.hasOther(source),
  });
  const sync: ChainSync = new ChainSync({ ...wiring, ...ports, validators, download });
  const fetcher: TransactionFetcher = new TransactionFetcher({
    ...wiring,
    deliver: (peer, raws) => transactions.receive(peer, raws),
  });
  const transactions: TransactionGossip = new TransactionGossip({
    ...wiring,
    ...ports,
    fetcher,
    validators,
    onTrouble,
  });
  const blocks = new BlockGossip({
    ...wiring,
    validators,
    isBehind: () => sync.progress() !== undefined,
    isPushed: ports.chain.takesBlocks === undefined,
  });
  const consensus = new ConsensusRelay({
    ...wiring,
    ...ports,
    ownAddress: addressOfNode(parts.local.nodeId),
    peers: () => connections.table.all(),
    messageBytes: limits.messageBytes,
    onTrouble,
  });
  return { sync, transactions, blocks, consensus };
}

/** The parts that admit peers and check that they are alive. */
function buildAdmission(wiring: Wiring, { sync }: MessageReceivers) {
  const { ports, connections, messenger } = wiring;
  const ownHead = () => headOf(ports.chain.head());
  const onHead = () => sync.consider();
  const liveness = new Liveness(connections, messenger, { ownHead, onHead });
  const admission = new Admission(connections, liveness, ownHead);
  const dialer = new Dialer(connections, admission, (peer) => {
    // The first message shows the other side that the session is in use.
    void liveness.ping(peer);
    onHead();
  });
  const router = buildRouter(wiring, onHead);
  const server = buildServer(wiring, admission, router);
  return { liveness, dialer, exchange: new PeerExchange(connections, messenger), server };
}

/** The parts that answer the requests of peers. */
function buildRouter(
  { ports, limits, clock, random, connections, connected }: Wiring,
  onHead: () => void,
): FrameRouter {
  const validators = () => ports.consensus.validators();
  const requests = new RequestHandler({
    ports,
    states: new StateService({ state: ports.state, limits, clock, validators }),
    connected,
    random,
    onHead: (peer, head) => {
      peer.learnHead(head);
      onHead();
    },
  });
  return new FrameRouter(connections, (peer, request) => requests.answer(peer, request));
}

/** The peer port, with the handshakes that arrive at it. */
function buildServer(
  { parts, limits, clock, logger, connections }: Wiring,
  admission: Admission,
  router: FrameRouter,
): PeerServer {
  const now = () => clock.now();
  const handshakes = new HandshakeLimit({ limits, now, find: (nodeId) => connections.table.find(nodeId) });
  const responder = new HandshakeResponder({
    local: parts.local,
    now,
    admit: admission.admit,
    mayEnter: (introduction, remote) =>
      handshakes.take(introduction.nodeId, remote.host) ? admission.mayEnter(introduction, remote) : 'busy',
  });
  return new PeerServer({
    limits,
    logger,
    // Only the hello is rate limited: a proof counts only with the challenge that its hello got.
    handshake: async (step, body, remote) =>
      step === 'hello' ? responder.hello(body, remote) : responder.prove(body, remote),
    isKnownAddress: (key) => connections.table.isKnownAddress(key),
    ownerOf: (session) => router.ownerOf(session),
    frame: (kind, frame, from) => router.frame(kind, frame, from),
    opens: (opening, from) => router.opens(opening, from),
    onCut: ({ host }, reason) => {
      parts.metrics.onRefused(reason);
      connections.once.warn(host, `cut ${reason}`, {
        message: 'a connection to the peer port was cut',
        values: { address: host, reason },
      });
    },
  });
}
