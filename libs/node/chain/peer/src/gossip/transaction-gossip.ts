import { keccakHash } from '@tetrad/crypto';
import { copyOf } from '@tetrad/rlp';
import { hashFromBytes, hashToBytes, type Address, type Clock, type Hash } from '@tetrad/types';
import { LRUCache } from 'lru-cache';
import type { PeerLimits } from '../limits.js';
import { KnownHashes } from '../peers/known.js';
import type { Penalty } from '../peers/peer-score.js';
import type { Peer } from '../peers/peer.js';
import type { Stopwatch } from '../peers/stopwatch.js';
import type { PoolPort, RawTransaction, TracePort } from '../ports.js';
import type { PushMessage } from '../wire/push-message.js';
import { WireError } from '../wire/wire-fields.js';
import { AnnouncementQueue } from './announcement-queue.js';
import type { TransactionFetcher } from './transaction-fetcher.js';

/** Recently received transactions that need not be received again. */
const SEEN = 65_536;
/** Waiting transactions that are announced to a new peer, and from time to time to every peer. */
const ANNOUNCED = 4_096;

export interface TransactionGossipOptions {
  readonly pool: PoolPort;
  readonly traces?: TracePort | undefined;
  readonly limits: PeerLimits;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly connected: () => readonly Peer[];
  readonly send: (peer: Peer, message: PushMessage) => void;
  readonly penalise: (peer: Peer, penalty: Penalty, detail?: string) => void;
  readonly fetcher: TransactionFetcher;
  readonly validators: () => readonly Address[];
  readonly stopwatch: Stopwatch;
  readonly onTrouble: (error: unknown) => void;
}

/**
 * Brings every transaction to every node about once: the node that a client submitted it to pushes it whole, nodes that
 * got it from a peer only announce its hash, and nodes that lack it request it.
 */
export class TransactionGossip {
  /**
   * Transaction received from peers → until when it need not be received again. After that the pool alone decides: it
   * may drop a transaction when full or when its sender loses permission, and accept it again later. Transactions that
   * no pool accepts are never received again.
   */
  private readonly seen = new LRUCache<Hash, number>({ max: SEEN });
  private readonly announcements: AnnouncementQueue;
  private readonly validatorAnnouncements: AnnouncementQueue;
  private readonly fromValidators = new KnownHashes(SEEN);

  constructor(private readonly options: TransactionGossipOptions) {
    const { clock, limits } = options;
    const shared = {
      clock,
      gatherMs: limits.announceDelayMs,
      announce: (hashes: readonly Hash[]) => this.announceWaiting(hashes),
    };
    this.announcements = new AnnouncementQueue({ ...shared, delayMs: limits.announceDelayMs });
    this.validatorAnnouncements = new AnnouncementQueue({
      ...shared,
      delayMs: limits.validatorAnnounceDelayMs,
    });
  }

  /** The pool accepted a transaction, from a client or a peer. */
  onAdded(transaction: RawTransaction): void {
    const { hash } = transaction;
    if (!this.seen.has(hash)) this.options.stopwatch.time(() => this.push(transaction));
    else (this.fromValidators.has(hash) ? this.validatorAnnouncements : this.announcements).add(hash);
  }

  /** Whole transactions came from a peer. */
  async receive(peer: Peer, raws: readonly Uint8Array[]): Promise<void> {
    const fresh = this.options.stopwatch.time(() => this.take(peer, raws));
    if (fresh.length > 0) await this.hand(peer, fresh);
  }

  /** The transactions that this node does not have. */
  private take(peer: Peer, raws: readonly Uint8Array[]): RawTransaction[] {
    const fresh: RawTransaction[] = [];
    const isOfValidator = this.options.validators().includes(peer.address);
    for (const raw of raws) {
      const hash = keccakHash(raw);
      peer.connection?.known.transactions.add(hash);
      this.options.fetcher.onArrived(hash);
      if (this.isKnown(hash)) continue;
      this.seen.set(hash, Infinity);
      if (isOfValidator) this.fromValidators.add(hash);
      // A view would keep the whole body in memory for as long as the transaction waits.
      fresh.push({ hash, raw: copyOf(raw) });
    }
    return fresh;
  }

  /** A peer announced transactions. */
  announced(peer: Peer, payloads: readonly Uint8Array[]): void {
    const wanted: Hash[] = [];
    for (const payload of payloads) {
      if (payload.length !== 32) throw new WireError('hash');
      const hash = hashFromBytes(payload);
      peer.connection?.known.transactions.add(hash);
      if (!this.isKnown(hash)) wanted.push(hash);
    }
    this.options.fetcher.want(peer, wanted);
  }

  /** Announces the pool to the peer, whatever it knows: it may have lost some, or never received what was sent. */
  announcePool(peer: Peer): void {
    for (const hash of this.options.pool.hashes(ANNOUNCED)) this.announce(peer, hash);
  }

  private async hand(peer: Peer, transactions: readonly RawTransaction[]): Promise<void> {
    const { pool, penalise, onTrouble, clock, limits } = this.options;
    const againMs = () => clock.now() + limits.rebroadcastMs / 2;
    try {
      const outcomes = await pool.add(transactions);
      transactions.forEach(({ hash }, index) => {
        if (outcomes[index] === 'invalid') penalise(peer, 'invalid transaction', hash);
        else this.seen.set(hash, againMs());
      });
    } catch (error) {
      for (const { hash } of transactions) this.seen.set(hash, againMs());
      onTrouble(error);
    }
  }

  private isKnown(hash: Hash): boolean {
    return (this.seen.get(hash) ?? 0) > this.options.clock.now() || this.options.pool.has(hash);
  }

  /** To a few random peers whole, and to the rest by hash; in a small network the few are all peers. */
  private push({ hash, raw }: RawTransaction): void {
    const peers = this.options
      .connected()
      .filter(({ connection }) => connection?.known.transactions.has(hash) === false);
    const trace = this.options.traces?.of(hash);
    const first = Math.floor(this.options.random() * peers.length);
    const fanout = Math.max(this.options.limits.pushFanout, Math.ceil(Math.sqrt(peers.length)));
    [...peers.slice(first), ...peers.slice(0, first)].forEach((peer, index) => {
      if (index >= fanout) return this.announce(peer, hash);
      peer.connection?.known.transactions.add(hash);
      this.options.send(peer, { kind: 'transaction', payload: raw, trace });
    });
  }

  /** Called after a delay, in which the pushing node and others usually reach the same peers first. */
  private announceWaiting(hashes: readonly Hash[]): void {
    // Transactions mined meanwhile travel with their block.
    const waiting = hashes.filter((hash) => this.options.pool.has(hash));
    for (const peer of this.options.connected()) {
      for (const hash of waiting)
        if (!peer.connection?.known.transactions.has(hash)) this.announce(peer, hash);
    }
  }

  private announce(peer: Peer, hash: Hash): void {
    peer.connection?.known.transactions.add(hash);
    this.options.send(peer, { kind: 'hash', payload: hashToBytes(hash) });
  }
}
