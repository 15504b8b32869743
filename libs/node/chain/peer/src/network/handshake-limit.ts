import { hostKey } from '@tetrad/types';
import { LRUCache } from 'lru-cache';
import type { NodeId } from '../identity/node-id.js';
import type { PeerLimits } from '../limits.js';
import type { Peer } from '../peers/peer.js';
import { RateLimit } from '../peers/rate-limit.js';

/** Buckets kept, of addresses and of known nodes; a forgotten bucket is full when it is needed again. */
const MAX_BUCKETS = 4_096;
/**
 * Seconds of the rate of all strangers that may come at once: fewer than handshakes may be under way, so that an honest
 * one is finished before others take its place.
 */
const COMMON_BURST_SECONDS = 2;

type HandshakeLimits = Pick<
  PeerLimits,
  'handshakesPerSecond' | 'handshakesPerSecondPerAddress' | 'handshakesPerSecondPerKnown'
>;

/**
 * How many handshakes may begin: by address, and of all strangers together.
 *
 * Nodes that are static or were connected before have separate limits. A hello proves nothing yet, so an attacker can
 * send a known node id; therefore the limit of a node id is kept apart for the address from which the node was seen
 * last, and hellos from other addresses do not use it up.
 */
export class HandshakeLimit {
  private readonly addresses = new LRUCache<string, RateLimit>({ max: MAX_BUCKETS });
  private readonly known = new LRUCache<string, RateLimit>({ max: MAX_BUCKETS });
  private readonly strangers: RateLimit;
  private readonly acquaintances: RateLimit;

  constructor(
    private readonly options: {
      readonly limits: HandshakeLimits;
      readonly now: () => number;
      readonly find: (nodeId: NodeId) => Peer | undefined;
    },
  ) {
    const { limits, now } = options;
    this.strangers = new RateLimit(limits.handshakesPerSecond, now, COMMON_BURST_SECONDS);
    this.acquaintances = new RateLimit(limits.handshakesPerSecond, now, COMMON_BURST_SECONDS);
  }

  /** Number of buckets. */
  get size(): number {
    return this.addresses.size + this.known.size;
  }

  /** Whether a sender that claims to be the node may go on. */
  take(nodeId: NodeId, host: string): boolean {
    const key = hostKey(host);
    return this.takeKnown(nodeId, key) || this.takeStranger(key);
  }

  private takeKnown(nodeId: NodeId, key: string): boolean {
    const peer = this.options.find(nodeId);
    if (peer === undefined || !(peer.isStatic || peer.lastAddress !== undefined)) return false;
    const isWhereItWas = peer.lastAddress === key;
    const bucket = this.bucket(this.known, isWhereItWas ? `${nodeId} ${key}` : nodeId);
    // Static peers are few; an attacker may own many of the others.
    return bucket.take() && (peer.isStatic || this.acquaintances.take());
  }

  private takeStranger(key: string): boolean {
    return this.bucket(this.addresses, key).take() && this.strangers.take();
  }

  private bucket(buckets: LRUCache<string, RateLimit>, key: string): RateLimit {
    const { limits, now } = this.options;
    const perSecond =
      buckets === this.known ? limits.handshakesPerSecondPerKnown : limits.handshakesPerSecondPerAddress;
    const bucket = buckets.get(key) ?? new RateLimit(perSecond, now);
    buckets.set(key, bucket);
    return bucket;
  }
}
