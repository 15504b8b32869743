import type { Peer } from '../peers/peer.js';
import { encodeClock } from '../wire/push-message.js';
import { decodeHead, type Head } from '../wire/handshake-messages.js';
import type { Connections } from './connections.js';
import type { Messenger } from './messenger.js';

/** Silent answers to pings after which a peer counts as gone. */
const MISSED_PINGS = 2;
/** A ping's answer is a head. */
const PING_ANSWER_BYTES = 128;

/** Pings peers to find out which are alive, and the heads of their chains. */
export class Liveness {
  constructor(
    private readonly connections: Connections,
    private readonly messenger: Messenger,
    private readonly options: { readonly ownHead: () => Head; readonly onHead: (peer: Peer) => void },
  ) {}

  /** Pings the peers that are due; returns at once. */
  tick(): void {
    const now = this.connections.now();
    for (const peer of this.connections.table.connected()) {
      const { connection } = peer;
      if (
        connection !== undefined &&
        now - connection.lastPingMs >= this.connections.parts.limits.pingIntervalMs
      ) {
        void this.ping(peer);
      }
    }
  }

  /** @returns whether the peer answered */
  async ping(peer: Peer): Promise<boolean> {
    const { connection } = peer;
    if (connection === undefined) return false;
    const startMs = this.connections.now();
    connection.lastPingMs = startMs;
    this.messenger.send(peer, { kind: 'clock', payload: encodeClock(startMs) });
    const { pingTimeoutMs } = this.connections.parts.limits;
    const outcome = await this.messenger.request(
      peer,
      { kind: 'ping', head: this.options.ownHead() },
      { timeoutMs: pingTimeoutMs, answerBytes: PING_ANSWER_BYTES },
    );
    if (peer.connection !== connection) return false;
    if (outcome.kind === 'answered') return this.take(peer, outcome.answer, startMs);
    // A busy peer is alive.
    if (outcome.kind === 'late' && ++connection.missedPings >= MISSED_PINGS) this.connections.fail(peer);
    return outcome.kind === 'busy';
  }

  private take(peer: Peer, answer: Uint8Array, startMs: number): boolean {
    try {
      peer.learnHead(decodeHead(answer));
    } catch {
      this.connections.penalise(peer, 'unusable answer', 'ping');
      return false;
    }
    peer.roundTripMs = this.connections.now() - startMs;
    this.connections.parts.metrics.onRoundTrip(peer, peer.roundTripMs);
    this.options.onHead(peer);
    return true;
  }
}
