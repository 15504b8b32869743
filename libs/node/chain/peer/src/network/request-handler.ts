import { encodeRlp } from '@tetrad/rlp';
import { formatEnode } from '../identity/enode.js';
import type { Peer } from '../peers/peer.js';
import type { PeerPorts } from '../ports.js';
import { encodeHead, type Head } from '../wire/handshake-messages.js';
import { MAX_EXCHANGED_PEERS, encodeItems, type PeerRequest } from '../wire/request-message.js';
import type { StateService } from './state-service.js';

/** Bytes of transactions in one answer; the peer requests the rest again. */
export const TRANSACTION_ANSWER_BYTES = 1024 * 1024;

export interface RequestHandlerOptions {
  readonly ports: PeerPorts;
  readonly connected: () => readonly Peer[];
  readonly states: StateService;
  /** In [0, 1). */
  readonly random: () => number;
  /** The peer announced its head in a ping. */
  readonly onHead: (peer: Peer, head: Head) => void;
}

/** Answers requests of peers; every answer is bounded. */
export class RequestHandler {
  constructor(private readonly options: RequestHandlerOptions) {}

  /** @returns undefined when the peer must come again */
  async answer(peer: Peer, request: PeerRequest): Promise<Uint8Array | undefined> {
    const { chain } = this.options.ports;
    switch (request.kind) {
      case 'ping':
        this.options.onHead(peer, request.head);
        return encodeHead(headOf(chain.head()));
      case 'blocks':
        return encodeItems(await chain.readRange(request.from, request.limit, request.byteBudget));
      case 'transactions':
        return encodeItems(this.transactions(request.hashes));
      case 'peers':
        return encodeRlp(this.peersFor(peer).map((url) => Buffer.from(url)));
      default:
        return this.options.states.answer(peer, request);
    }
  }

  private transactions(hashes: (PeerRequest & { kind: 'transactions' })['hashes']): Uint8Array[] {
    const found: Uint8Array[] = [];
    let bytes = 0;
    for (const hash of hashes) {
      const raw = this.options.ports.pool.find(hash);
      if (raw === undefined) continue;
      bytes += raw.length;
      if (found.length > 0 && bytes > TRANSACTION_ANSWER_BYTES) break;
      found.push(raw);
    }
    return found;
  }

  /** A random choice of the other peers. */
  private peersFor(peer: Peer): string[] {
    const others = this.options.connected().filter((one) => one !== peer);
    const first = Math.floor(this.options.random() * others.length);
    return [...others.slice(first), ...others.slice(0, first)]
      .slice(0, MAX_EXCHANGED_PEERS)
      .map(({ nodeId, endpoint }) => formatEnode({ nodeId, ...endpoint, discport: 0 }));
  }
}

/** The head as it is announced: number and hash of a block. */
export function headOf({ hash, header }: { hash: Head['hash']; header: { number: number } }): Head {
  return { number: header.number, hash };
}
