import { keccakHash } from '@tetrad/crypto';
import type { Clock, Hash } from '@tetrad/types';
import { LRUCache } from 'lru-cache';
import type { PeerLimits } from '../limits.js';
import type { Penalty } from '../peers/peer-score.js';
import type { PeerConnection } from '../peers/peer-connection.js';
import type { Peer } from '../peers/peer.js';
import { MAX_REQUESTED_TRANSACTIONS, decodeItems, type PeerRequest } from '../wire/request-message.js';
import type { ExchangeOutcome } from '../transport/exchange.js';
import type { AnswerLimits } from '../network/messenger.js';

/** Hashes that are being requested, of all peers. */
const MAX_ASKED = 16_384;
/** Hashes announced by one peer that wait to be requested. */
const MAX_WANTED = 4_096;

export interface TransactionFetcherOptions {
  readonly limits: PeerLimits;
  readonly clock: Clock;
  readonly request: (peer: Peer, request: PeerRequest, limits: AnswerLimits) => Promise<ExchangeOutcome>;
  readonly penalise: (peer: Peer, penalty: Penalty, detail?: string) => void;
  /** Receives requested transactions. */
  readonly deliver: (peer: Peer, raws: readonly Uint8Array[]) => Promise<void>;
}

/** Requests announced transactions: each from one peer at a time, and with one request at a time per peer. */
export class TransactionFetcher {
  /** Hash → when it may be requested from another peer. */
  private readonly asked: LRUCache<Hash, number>;
  private readonly wanted = new WeakMap<PeerConnection, { hashes: Hash[]; isAsking: boolean }>();

  constructor(private readonly options: TransactionFetcherOptions) {
    this.asked = new LRUCache({ max: MAX_ASKED });
  }

  /** The transaction arrived, requested or not. */
  onArrived(hash: Hash): void {
    this.asked.delete(hash);
  }

  want(peer: Peer, hashes: readonly Hash[]): void {
    const { connection } = peer;
    if (connection === undefined || hashes.length === 0) return;
    const queue = this.wanted.get(connection) ?? { hashes: [], isAsking: false };
    this.wanted.set(connection, queue);
    queue.hashes.push(...hashes.slice(0, MAX_WANTED - queue.hashes.length));
    if (queue.isAsking) return;
    queue.isAsking = true;
    void this.ask(peer, connection, queue.hashes).finally(() => (queue.isAsking = false));
  }

  private async ask(peer: Peer, connection: PeerConnection, waiting: Hash[]): Promise<void> {
    while (waiting.length > 0 && peer.connection === connection) {
      const hashes = waiting.splice(0, MAX_REQUESTED_TRANSACTIONS).filter((hash) => this.isFree(hash));
      if (hashes.length === 0) continue;
      const { clock, limits } = this.options;
      for (const hash of hashes) this.asked.set(hash, clock.now() + limits.answerTimeoutMs);
      const raws = await this.fetch(peer, hashes);
      for (const hash of hashes) this.asked.delete(hash);
      await this.options.deliver(peer, raws);
    }
  }

  private async fetch(peer: Peer, hashes: readonly Hash[]): Promise<Uint8Array[]> {
    const { limits, request, penalise } = this.options;
    const outcome = await request(
      peer,
      { kind: 'transactions', hashes },
      { timeoutMs: limits.answerTimeoutMs, answerBytes: limits.messageBytes },
    );
    if (outcome.kind === 'late') penalise(peer, 'late answer', 'transactions');
    if (outcome.kind !== 'answered') return [];
    const raws = readItems(outcome.answer, hashes.length);
    const asked = new Set(hashes);
    if (raws?.every((raw) => asked.delete(keccakHash(raw)))) return raws;
    penalise(peer, 'unusable answer', 'transactions');
    return [];
  }

  private isFree(hash: Hash): boolean {
    return (this.asked.get(hash) ?? 0) <= this.options.clock.now();
  }
}

function readItems(answer: Uint8Array, most: number): Uint8Array[] | undefined {
  try {
    return decodeItems(answer, most);
  } catch {
    return undefined;
  }
}
