import type { Peer } from '../peers/peer.js';
import { TrackSender, type PushOutcome } from '../sending/track-sender.js';
import { trackOf, type Track } from '../sending/outbox.js';
import type { PeerLink } from '../peers/peer-link.js';
import { exchange, type ExchangeOutcome } from '../transport/exchange.js';
import { encodePush, type PushMessage } from '../wire/push-message.js';
import { encodeRequest, type PeerRequest } from '../wire/request-message.js';
import type { Connections } from './connections.js';

/** How long and how large an answer may be. */
export interface AnswerLimits {
  readonly timeoutMs: number;
  readonly answerBytes: number;
}

const GOODBYE_MS = 500;

/** Sends to peers: messages by way of their outboxes, requests at once. */
export class Messenger {
  private readonly senders = new WeakMap<PeerLink, Readonly<Record<Track, TrackSender>>>();

  constructor(private readonly connections: Connections) {}

  /** Queues the message; what does not fit is given up, least important first. */
  send(peer: Peer, message: PushMessage): void {
    peer.outbox.put(message);
    this.wake(peer, trackOf(message.kind));
  }

  /** There may be messages from before the peer was connected. */
  wakeAll(peer: Peer): void {
    this.wake(peer, 'urgent');
    this.wake(peer, 'bulk');
  }

  /** Never fails; what the outcome says of the link is looked after here. */
  async request(peer: Peer, request: PeerRequest, limits: AnswerLimits): Promise<ExchangeOutcome> {
    const { link } = peer;
    if (link === undefined) return { kind: 'lost', reason: 'unreachable' };
    const { parts } = this.connections;
    const message = parts.stopwatch.time(() => encodeRequest(request));
    parts.metrics.onSent(peer, message.length);
    const outcome = await exchange(link, { kind: 'request', message, ...limits }, parts);
    this.settle(peer, link, outcome);
    return outcome;
  }

  /** Tells the peer that this node stops, so that it need not find out. Never fails, and does not wait long. */
  async sayGoodbye({ link }: Peer): Promise<void> {
    if (link === undefined) return;
    const message = encodePush([{ kind: 'leave', payload: new Uint8Array(0) }]);
    const wanted = { kind: 'push', message, timeoutMs: GOODBYE_MS, answerBytes: 64 } as const;
    await exchange(link, wanted, this.connections.parts);
  }

  private wake(peer: Peer, track: Track): void {
    const { link } = peer;
    if (link === undefined) return;
    let senders = this.senders.get(link);
    if (senders === undefined) {
      senders = {
        urgent: this.createSender(peer, link, 'urgent'),
        bulk: this.createSender(peer, link, 'bulk'),
      };
      this.senders.set(link, senders);
    }
    senders[track].wake();
  }

  private createSender(peer: Peer, link: PeerLink, track: Track): TrackSender {
    const { clock, limits } = this.connections.parts;
    return new TrackSender({
      track,
      clock,
      outbox: peer.outbox,
      pushBytes: limits.pushBytes,
      lingerMs: track === 'bulk' ? limits.lingerMs : 0,
      push: (messages) => this.push(peer, link, messages),
    });
  }

  private async push(peer: Peer, link: PeerLink, messages: readonly PushMessage[]): Promise<PushOutcome> {
    const { parts } = this.connections;
    const { limits, metrics, stopwatch } = parts;
    const message = stopwatch.time(() => encodePush(messages));
    metrics.onSent(peer, message.length);
    const wanted = { kind: 'push', message, timeoutMs: limits.answerTimeoutMs, answerBytes: 64 } as const;
    const outcome = await exchange(link, wanted, parts);
    this.settle(peer, link, outcome);
    switch (outcome.kind) {
      case 'answered':
        return 'delivered';
      case 'busy':
        return 'busy';
      case 'late':
        // It may have taken them; pings find out whether it is still there.
        return 'delivered';
      default:
        return 'lost';
    }
  }

  private settle(peer: Peer, link: PeerLink, outcome: ExchangeOutcome): void {
    if (peer.link !== link) return;
    if (outcome.kind === 'answered') {
      link.lastHeardMs = this.connections.now();
      link.missedPings = 0;
    } else if (outcome.kind === 'lost') {
      this.connections.fail(peer);
    } else if (outcome.kind === 'forgotten') {
      this.connections.leave(peer);
    }
  }
}
