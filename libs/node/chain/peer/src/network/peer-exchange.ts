import { parseEnode } from '../identity/enode.js';
import type { Peer } from '../peers/peer.js';
import { decodeEnodeTexts } from '../wire/request-message.js';
import type { Connections } from './connections.js';
import type { Messenger } from './messenger.js';

const ANSWER_BYTES = 16 * 1024;

/** Learns of nodes from peers; a learned node is dialled like any other, and proves its key then. */
export class PeerExchange {
  private nextMs = 0;

  constructor(
    private readonly connections: Connections,
    private readonly messenger: Messenger,
  ) {}

  /** Asks one peer when that is due; returns at once. */
  tick(): void {
    const { limits, random } = this.connections.parts;
    const nowMs = this.connections.now();
    const peers = this.connections.table.connected();
    if (nowMs < this.nextMs || peers.length === 0 || !this.connections.table.hasRoom()) return;
    this.nextMs = nowMs + limits.exchangeMs;
    const peer = peers[Math.floor(random() * peers.length)];
    if (peer !== undefined) void this.ask(peer);
  }

  async ask(peer: Peer): Promise<void> {
    const { answerTimeoutMs } = this.connections.parts.limits;
    const limits = { timeoutMs: answerTimeoutMs, answerBytes: ANSWER_BYTES };
    const outcome = await this.messenger.request(peer, { kind: 'peers' }, limits);
    if (outcome.kind !== 'answered') return;
    try {
      for (const text of decodeEnodeTexts(outcome.answer)) {
        const { nodeId, host, port } = parseEnode(text);
        this.connections.table.learn(nodeId, { host, port });
      }
    } catch (error) {
      const detail = error instanceof Error ? error.message : undefined;
      this.connections.penalise(peer, 'unusable answer', detail);
    }
  }
}
