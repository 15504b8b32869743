import type { Endpoint, Enode } from '../identity/enode.js';
import type { NodeId } from '../identity/node-id.js';
import { Peer } from './peer.js';
import { Outbox } from '../sending/outbox.js';
import type { PushKind } from '../wire/push-message.js';

export interface PeerTableOptions {
  readonly ownId: NodeId;
  readonly maxPeers: number;
  readonly maxCandidates: number;
  readonly outbox: { readonly messages: number; readonly bytes: number };
  readonly onDrop: (kind: PushKind) => void;
}

/** Trusted nodes that are remembered. */
const MAX_TRUSTED = 10_000;

/** Known nodes: static ones by configuration, others that connected or were learned from peers, within a bound. */
export class PeerTable {
  private readonly peers = new Map<NodeId, Peer>();
  private readonly trusted = new Set<NodeId>();

  constructor(private readonly options: PeerTableOptions) {}

  find(nodeId: NodeId): Peer | undefined {
    return this.peers.get(nodeId);
  }

  all(): readonly Peer[] {
    return [...this.peers.values()];
  }

  /** Whether a node that is static or was connected before proved its key from the address. */
  isKnownAddress(key: string): boolean {
    return this.all().some(({ lastAddress }) => lastAddress === key);
  }

  connected(): readonly Peer[] {
    return this.all().filter(({ isConnected }) => isConnected);
  }

  /** Whether another dynamic peer may connect; static and trusted peers do not count. */
  hasRoom(): boolean {
    const counted = this.connected().filter(({ isStatic, nodeId }) => !isStatic && !this.trusted.has(nodeId));
    return counted.length < this.options.maxPeers;
  }

  /**
   * Lets the node connect beyond the limit.
   * @returns false when the limit of trusted nodes is reached
   */
  trust(nodeId: NodeId): boolean {
    if (this.trusted.size >= MAX_TRUSTED && !this.trusted.has(nodeId)) return false;
    this.trusted.add(nodeId);
    return true;
  }

  distrust(nodeId: NodeId): void {
    this.trusted.delete(nodeId);
  }

  isTrusted(nodeId: NodeId): boolean {
    return this.trusted.has(nodeId);
  }

  /** @returns the peer, which is static from now on, at the address of the URL */
  addStatic({ nodeId, host, port }: Enode): Peer {
    const peer = this.peers.get(nodeId) ?? this.create(nodeId, { host, port }, true);
    peer.isStatic = true;
    peer.endpoint = { host, port };
    return peer;
  }

  /** @returns the peer with the id; undefined when the table is full of more important peers */
  learn(nodeId: NodeId, endpoint: Endpoint): Peer | undefined {
    const known = this.peers.get(nodeId);
    if (known !== undefined) {
      // The configured endpoint of a static peer takes precedence over a learned one.
      if (!known.isStatic && !known.isConnected) known.endpoint = endpoint;
      return known;
    }
    if (nodeId === this.options.ownId || !(this.makeRoom() || this.isTrusted(nodeId))) return undefined;
    return this.create(nodeId, endpoint, false);
  }

  remove(nodeId: NodeId): void {
    this.peers.delete(nodeId);
  }

  private makeRoom(): boolean {
    const dynamic = this.all().filter(({ isStatic }) => !isStatic);
    if (dynamic.length < this.options.maxPeers + this.options.maxCandidates) return true;
    const idle = dynamic.filter(({ state }) => state.kind === 'backing off' || state.kind === 'idle');
    const victim =
      idle.find(({ lastAddress }) => lastAddress === undefined) ?? idle[0] ?? firstFreed(dynamic);
    if (victim !== undefined) this.peers.delete(victim.nodeId);
    return victim !== undefined;
  }

  private create(nodeId: NodeId, endpoint: Endpoint, isStatic: boolean): Peer {
    const peer = new Peer(nodeId, endpoint, isStatic, new Outbox(this.options.outbox, this.options.onDrop));
    this.peers.set(nodeId, peer);
    return peer;
  }
}

/**
 * The peer whose ban ends first. Forgetting it lifts the ban, which is the lesser evil: a stranger with as many node keys as the
 * table has places would otherwise keep every newcomer out for as long as its bans last, and who has a new key needs no ban lifted.
 */
function firstFreed(peers: readonly Peer[]): Peer | undefined {
  let first: { readonly peer: Peer; readonly untilMs: number } | undefined;
  for (const peer of peers) {
    if (peer.state.kind !== 'banned' || peer.state.untilMs >= (first?.untilMs ?? Infinity)) continue;
    first = { peer, untilMs: peer.state.untilMs };
  }
  return first?.peer;
}
