import {
  Listeners,
  type Address,
  type Clock,
  type Hash,
  type Logger,
  type Metrics,
  type SealedHeader,
} from '@tetrad/types';
import { formatEnode, type Endpoint, type Enode } from './identity/enode.js';
import type { NodeId } from './identity/node-id.js';
import { DEFAULT_PEER_LIMITS, type PeerLimits } from './limits.js';
import { ClockWatch, type ClockTrouble } from './network/clock-watch.js';
import { buildNetwork, type BuiltNetwork } from './network/build-network.js';
import { describePeer, type PeerInfo } from './network/peer-info.js';
import { UnrecordedNotice } from './network/unrecorded-notice.js';
import { PeerMetrics } from './peers/peer-metrics.js';
import { INITIAL_PEER_STATE } from './peers/peer-state.js';
import { Stopwatch } from './peers/stopwatch.js';
import type { PeerPorts } from './ports.js';
import { createLocalNode, type LocalNode } from './session/local-node.js';
import type { SyncProgress } from './sync/chain-sync.js';
import type { StatePeers } from './sync/state-peers.js';
import type { Standing } from './sync/following-watch.js';
import { newestHead } from './sync/newest-head.js';

export interface PeerNetworkOptions {
  /** The node key. */
  readonly key: LocalNode['key'];
  /** As in `LocalNode`; default: the node key. */
  readonly listenerKey?: LocalNode['listenerKey'];
  readonly chainId: bigint;
  readonly genesisHash: Hash;
  /** Client name and version, at most 128 printable ASCII characters. */
  readonly name: string;
  /** Where the peer port is opened; port 0 takes any that is free. */
  readonly listen: Endpoint;
  /** Host under which peers reach this node, when it differs from the listen address. */
  readonly advertisedHost?: string;
  /** Part of this node's enode URL where a log orders blocks. */
  readonly raftPort?: number | undefined;
  /** Nodes to be connected with always; this node itself may be among them. */
  readonly staticPeers: readonly Enode[];
  /** Whether addresses learned from peers are dialed too. */
  readonly peerExchange: boolean;
  readonly limits?: Partial<PeerLimits>;
  /** Of the protocol, where not those of this version of the node. */
  readonly versions?: LocalNode['versions'];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** In [0, 1): spreads attempts and choices. */
  readonly random?: () => number;
  readonly ports: PeerPorts;
}

/** A peer that connected or disconnected. */
export interface PeerChange {
  readonly kind: 'connected' | 'disconnected';
  readonly nodeId: NodeId;
}

/** The peer network of the node: its peers, and the messages to and from them. */
export class PeerNetwork {
  private readonly limits: PeerLimits;
  private readonly local: LocalNode;
  private readonly metrics: PeerMetrics;
  private readonly parts: BuiltNetwork;
  private readonly listeners: Listeners<(change: PeerChange) => void>;
  private readonly unrecorded: UnrecordedNotice;
  private readonly clocks: ClockWatch;
  private port: number;
  private rebroadcastMs: number;
  private cancelTick: () => void = () => undefined;
  private stopPool: () => void = () => undefined;

  constructor(private readonly options: PeerNetworkOptions) {
    const { clock, logger, listen, ports, random = Math.random } = options;
    this.limits = { ...DEFAULT_PEER_LIMITS, ...options.limits };
    this.port = listen.port;
    this.rebroadcastMs = clock.now() + this.limits.rebroadcastMs;
    this.listeners = new Listeners((error) => logger.error('a listener of the peers failed', { error }));
    this.metrics = new PeerMetrics(options.metrics, (nodeId) => this.isTrusted(nodeId));
    this.local = createLocalNode({
      ...options,
      endpoint: () => ({ host: options.advertisedHost ?? listen.host, port: this.port }),
    });
    const { local, limits, metrics } = this;
    const stopwatch = new Stopwatch(options.metrics);
    const parts = { local, limits, clock, random, logger, metrics, stopwatch, ports };
    this.parts = buildNetwork(parts, (kind, peer) => {
      if (kind === 'connected') this.unrecorded.onConnected(peer);
      this.listeners.emit((listener) => listener({ kind, nodeId: peer.nodeId }));
    });
    const { connections, server, messenger } = this.parts;
    this.unrecorded = new UnrecordedNotice(connections, messenger);
    this.clocks = new ClockWatch({
      ...options,
      now: () => clock.now(),
      peers: () => connections.table.all(),
      validators: () => ports.consensus.validators(),
    });
    options.metrics.onScrape(() => this.metrics.report(connections.table.all(), server.streamCount));
    for (const enode of options.staticPeers) connections.addStatic(enode);
  }

  /** Where peers reach this node; the port is known once it is started. */
  get enode(): string {
    const { raftPort } = this.options;
    return formatEnode({
      nodeId: this.local.nodeId,
      ...this.local.endpoint(),
      discport: 0,
      ...(raftPort === undefined ? {} : { raftport: raftPort }),
    });
  }

  /**
   * Opens the peer port and begins to connect.
   * @throws OperatorError when the port cannot be opened
   */
  async start(): Promise<void> {
    this.port = await this.parts.server.listen(this.options.listen);
    const { transactions } = this.parts;
    this.stopPool = this.options.ports.pool.onAdded((transaction) => transactions.onAdded(transaction));
    this.tick();
  }

  /** Says good-bye, and closes every connection within a few seconds. */
  async stop(): Promise<void> {
    this.cancelTick();
    this.stopPool();
    this.parts.dialer.stop();
    this.parts.sync.stop();
    const connected = this.parts.connections.table.connected();
    await Promise.all(connected.map((peer) => this.parts.messenger.sayGoodbye(peer)));
    for (const peer of connected) this.parts.connections.leave(peer);
    await this.parts.server.close(this.limits.stopMs);
  }

  /** Sends the engine's message to every other validator. Never fails and never waits. */
  broadcastConsensus(message: Uint8Array): void {
    this.parts.consensus.broadcast(message);
  }

  /**
   * Sends the engine's message to one node, named by its id or its key's address.
   * @returns false when it is not connected
   */
  sendConsensus(to: NodeId | Address, message: Uint8Array): boolean {
    const peer = this.parts.connections.table
      .connected()
      .find(({ nodeId, address }) => nodeId === to || address === to);
    if (peer !== undefined) this.parts.consensus.sendTo(peer, message);
    return peer !== undefined;
  }

  /**
   * Announces the new head to peers, whatever its origin.
   * @param encode - its bytes, for peers that get it whole
   */
  announceBlock(block: SealedHeader, encode: () => Uint8Array): void {
    this.parts.blocks.announce(block, encode);
    // The current source may no longer be needed, and another peer may be ahead.
    this.parts.sync.consider();
  }

  /** Tells every connected peer the hash (64 bytes) of a payload that its transaction manager may have. */
  notify(hash: Uint8Array): void {
    for (const peer of this.parts.connections.table.connected())
      this.parts.messenger.send(peer, { kind: 'notice', payload: hash });
  }

  /** Says to all peers, also to later ones, whether this validator has no record of what it signed after its head. */
  announceUnrecorded(isUnrecorded: boolean): void {
    this.unrecorded.announce(isUnrecorded);
  }

  /** Asks peers about the state. */
  get states(): StatePeers {
    return this.parts.states;
  }

  /** Whether each static node is connected and has named its head, or could not be reached just now. */
  isSettled(): boolean {
    return this.parts.connections.table
      .all()
      .filter(({ isStatic }) => isStatic)
      .every(({ state, head, isConnected }) =>
        isConnected ? head !== undefined : state.kind === 'backing off' || state.kind === 'banned',
      );
  }

  /** Connected peers. */
  peers(): readonly PeerInfo[] {
    return this.parts.connections.table
      .connected()
      .map(describePeer)
      .filter((info) => info !== undefined);
  }

  /** How this host's clock differs from those of its peers; undefined when it agrees. */
  clockTrouble(): ClockTrouble | undefined {
    return this.clocks.trouble();
  }

  /** Undefined when this node is in sync. */
  syncProgress(): SyncProgress | undefined {
    return this.parts.sync.progress();
  }

  /** What the peers show of this node's place among them. */
  standing(): Standing {
    const { chain, consensus } = this.options.ports;
    const { table } = this.parts.connections;
    const connected = table.connected();
    return {
      known: table.all().length,
      connected: connected.length,
      head: chain.head().header.number,
      newest: newestHead(connected, consensus.validators()),
    };
  }

  /**
   * Keeps a connection with the node from now on, even when it was cut off.
   * @returns false when it is this node
   */
  addPeer(enode: Enode): boolean {
    const peer = this.parts.connections.addStatic(enode);
    if (peer?.state.kind === 'banned') peer.state = INITIAL_PEER_STATE;
    return peer !== undefined;
  }

  /**
   * Ends the connection and forgets the node, which may connect again by itself.
   * @returns false when it was not known
   */
  removePeer(nodeId: NodeId): boolean {
    const { table } = this.parts.connections;
    const peer = table.find(nodeId);
    if (peer === undefined) return false;
    this.parts.connections.leave(peer);
    table.remove(nodeId);
    return true;
  }

  /** Ends the connections with nodes that are no longer allowed; nodes that this one dials are tried again. */
  dropForbidden(): void {
    this.parts.connections.dropForbidden();
  }

  /**
   * Lets the node connect beyond the limit of peers; it is not dialed.
   * @returns false when too many are trusted
   */
  trustPeer(nodeId: NodeId): boolean {
    return this.parts.connections.table.trust(nodeId);
  }

  /** Removes the node from the trusted ones; a connection stays. */
  distrustPeer(nodeId: NodeId): void {
    this.parts.connections.table.distrust(nodeId);
  }

  /** Whether the node may connect beyond the limit. */
  isTrusted(nodeId: NodeId): boolean {
    return this.parts.connections.table.isTrusted(nodeId);
  }

  /** Calls the listener when a peer connects or disconnects; the result removes it. */
  onPeer(listener: (change: PeerChange) => void): () => void {
    return this.listeners.add(listener);
  }

  private tick(): void {
    const { dialer, liveness, exchange, connections, transactions } = this.parts;
    dialer.tick();
    liveness.tick();
    this.clocks.tick();
    if (this.options.peerExchange) exchange.tick();
    const now = this.options.clock.now();
    if (now >= this.rebroadcastMs) {
      this.rebroadcastMs = now + this.limits.rebroadcastMs;
      for (const peer of connections.table.connected()) transactions.announcePool(peer);
    }
    this.cancelTick = this.options.clock.schedule(this.limits.tickMs, () => this.tick());
  }
}
