import { backOffMs, hostKey, spreadMs, type Clock, type Logger } from '@tetrad/types';
import { formatEndpoint, type Endpoint, type Enode } from '../identity/enode.js';
import { shortNodeId, type NodeId } from '../identity/node-id.js';
import type { PeerLimits } from '../limits.js';
import type { InboxHandler } from '../peers/inbox.js';
import { OnceLog } from '../peers/once-log.js';
import { BAN_POINTS, INITIAL_SCORE, banLengthMs, withPenalty, type Penalty } from '../peers/peer-score.js';
import { PeerConnection } from '../peers/peer-connection.js';
import type { PeerMetrics } from '../peers/peer-metrics.js';
import { PeerTable } from '../peers/peer-table.js';
import type { Peer } from '../peers/peer.js';
import type { Stopwatch } from '../peers/stopwatch.js';
import type { ConnectionRequest, PeerPorts } from '../ports.js';
import type { Acquaintance } from '../session/dial.js';
import type { LocalNode } from '../session/local-node.js';
import { PeerClient } from '../transport/peer-client.js';
import { StreamOpener } from '../transport/stream-opener.js';
import type { Rejection } from '../wire/rejection.js';
import { SessionTable, type SessionEntry } from './session-table.js';

/** Dependencies shared by connections, dialer and router. */
export interface NetworkParts {
  readonly local: LocalNode;
  readonly limits: PeerLimits;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics: PeerMetrics;
  readonly stopwatch: Stopwatch;
  readonly ports: PeerPorts;
}

/** Notified of connected and disconnected peers, and handles their messages. */
export interface ConnectionListener {
  readonly handle: (peer: Peer) => InboxHandler;
  readonly onConnected: (peer: Peer) => void;
  readonly onDisconnected: (peer: Peer) => void;
}

/** Consensus messages kept for a peer that is unavailable. */
const KEPT_CONSENSUS = 128;

/** Peers, their connections and sessions: which are connected, permitted or cut off. */
export class Connections {
  readonly table: PeerTable;
  readonly sessions = new SessionTable();
  readonly once: OnceLog;

  constructor(
    readonly parts: NetworkParts,
    private readonly listener: ConnectionListener,
  ) {
    const { local, limits, metrics, logger } = parts;
    this.once = new OnceLog(logger);
    this.table = new PeerTable({
      ownId: local.nodeId,
      maxPeers: limits.maxPeers,
      maxCandidates: limits.maxCandidates,
      outbox: { messages: limits.outboxMessages, bytes: limits.outboxBytes },
      onDrop: (kind) => metrics.onDropped(kind),
    });
  }

  /** Why connecting with the node is not allowed; undefined when it is. */
  rejectionOf(
    nodeId: NodeId,
    endpoint: Endpoint,
    direction: ConnectionRequest['direction'],
  ): Rejection | undefined {
    const peer = this.table.find(nodeId);
    if (peer?.state.kind === 'banned') return 'banned';
    if (!this.isAllowed({ nodeId, ...endpoint, direction })) return 'not-allowed';
    const isCounted =
      !this.table.isTrusted(nodeId) && (peer === undefined || (!peer.isStatic && !peer.isConnected));
    return isCounted && !this.table.hasRoom() ? 'too-many-peers' : undefined;
  }

  isAllowed(request: ConnectionRequest): boolean {
    return this.parts.ports.isAllowed?.(request) ?? true;
  }

  /** The endpoint of a node that came by itself: the configured one where there is one. */
  endpointOf(nodeId: NodeId, reachable: Endpoint): Endpoint {
    const peer = this.table.find(nodeId);
    return peer?.isStatic === true ? peer.endpoint : reachable;
  }

  /**
   * Called when the other side first uses a session: the peer is connected.
   * @returns undefined without a free slot
   */
  confirm(entry: SessionEntry): Peer | undefined {
    if (entry.isConfirmed) return entry.peer;
    const { nodeId } = entry.acquaintance.introduction;
    const peer = this.table.learn(nodeId, entry.endpoint);
    if (peer === undefined || peer.state.kind === 'banned') return undefined;
    peer.lastAddress = entry.address;
    this.establish(peer, entry.acquaintance);
    return peer;
  }

  /** Adds the session to the peer's connection, or makes a new connection when this is another process of the peer. */
  establish(peer: Peer, { session, introduction, version, clockOffsetMs }: Acquaintance): void {
    peer.clock.note(clockOffsetMs, this.now());
    if (peer.connection !== undefined && peer.connection.instance !== session.instance) {
      this.disconnect(peer, { kind: 'left', nowMs: this.now(), delayMs: 0 });
    }
    peer.name = introduction.name;
    peer.protocol = version;
    if (session.isOutbound) peer.lastAddress ??= hostKey(peer.endpoint.host);
    this.sessions.confirm(session, peer);
    if (peer.connection !== undefined) return peer.connection.attach(session);
    const direction = session.isOutbound ? 'outbound' : 'inbound';
    peer.connection = this.openConnection(peer, { instance: session.instance, direction });
    peer.connection.attach(session);
    peer.apply({ kind: 'established', nowMs: this.now() });
    this.once.forget(peer.nodeId, 'dial');
    const { name, shortId } = peer;
    this.parts.logger.info('peer connected', {
      peer: shortId,
      address: formatEndpoint(peer.endpoint),
      direction,
      name,
      protocol: version,
    });
    this.listener.onConnected(peer);
  }

  /** The connection is over; the event says why. */
  disconnect(peer: Peer, event: Parameters<Peer['apply']>[0]): void {
    const { connection } = peer;
    if (connection !== undefined) {
      connection.close();
      peer.connection = undefined;
      peer.head = undefined;
      peer.isUnrecorded = false;
      peer.outbox.keepConsensus(KEPT_CONSENSUS);
      this.parts.logger.info('peer disconnected', { peer: peer.shortId, why: event.kind });
    }
    peer.apply(event);
    if (connection !== undefined) this.listener.onDisconnected(peer);
  }

  /** The dial failed or the connection broke. */
  fail(peer: Peer): void {
    const delayMs = (failures: number) => this.backOffMs(failures);
    this.disconnect(peer, { kind: 'failed', nowMs: this.now(), delayMs });
  }

  /** The peer is stopping or was restarted. */
  leave(peer: Peer): void {
    this.disconnect(peer, { kind: 'left', nowMs: this.now(), delayMs: this.backOffMs(1) });
  }

  /** Ends the connections with nodes that are no longer allowed; nodes that this one dials are tried again. */
  dropForbidden(): void {
    for (const peer of this.table.connected()) {
      const { nodeId, endpoint, connection, shortId } = peer;
      if (connection === undefined) continue;
      if (this.isAllowed({ nodeId, ...endpoint, direction: connection.direction })) continue;
      this.parts.logger.warn('peer is no longer permitted', { peer: shortId });
      this.fail(peer);
    }
  }

  /** The pause after so many failures in a row. */
  backOffMs(failures: number): number {
    const { backoffBaseMs, backoffCapMs } = this.parts.limits;
    return spreadMs(
      backOffMs(failures, { firstMs: backoffBaseMs, maxMs: backoffCapMs }),
      this.parts.random(),
    );
  }

  /** Adds penalty points, and cuts the peer off at the limit. */
  penalise(peer: Peer, penalty: Penalty, detail?: string): void {
    const { metrics, limits, logger } = this.parts;
    metrics.onPenalty(peer, penalty);
    peer.score = withPenalty(peer.score, penalty, this.now());
    const about = detail === undefined ? {} : { detail: detail.slice(0, 200) };
    logger.debug('peer misbehaved', { peer: peer.shortId, offence: penalty, ...about });
    if (peer.score.points < BAN_POINTS || peer.state.kind === 'banned') return;
    const lengthMs = banLengthMs(peer.bans++, limits);
    peer.score = INITIAL_SCORE;
    logger.warn('peer disconnected for misbehaviour', {
      peer: peer.shortId,
      offence: penalty,
      ...about,
      seconds: lengthMs / 1_000,
    });
    this.disconnect(peer, { kind: 'banned', untilMs: this.now() + lengthMs });
  }

  /** Whether the peer's other process still answers, which shows that one key runs twice. */
  reportDuplicate(nodeId: NodeId, addresses: readonly Endpoint[], isOwn: boolean): void {
    const texts = addresses.map(formatEndpoint);
    this.once.warn(nodeId, 'duplicate', {
      message: 'two running nodes have the same node key',
      values: { node: shortNodeId(nodeId), isOwn, addresses: texts },
    });
    this.parts.ports.onDuplicateKey?.({ nodeId, isOwn, addresses: texts });
  }

  addStatic(enode: Enode): Peer | undefined {
    return enode.nodeId === this.parts.local.nodeId ? undefined : this.table.addStatic(enode);
  }

  now(): number {
    return this.parts.clock.now();
  }

  private openConnection(
    peer: Peer,
    of: { instance: string; direction: 'inbound' | 'outbound' },
  ): PeerConnection {
    const { limits, local } = this.parts;
    const now = () => this.now();
    return new PeerConnection({
      ...of,
      limits,
      now,
      streams: new StreamOpener(peer.endpoint, { limits, now }),
      client: new PeerClient(peer.endpoint, {
        connections: limits.concurrentPerPeer,
        connectTimeoutMs: limits.connectTimeoutMs,
      }),
      handle: this.listener.handle(peer),
      onDetached: (session) => this.sessions.remove(session),
      prefersOwn: local.nodeId < peer.nodeId,
    });
  }
}
