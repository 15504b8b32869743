import type { Peer } from '../peers/peer.js';
import { PushSender, type PushOutcome } from '../sending/push-sender.js';
import { priorityOf, type Priority } from '../sending/outbox.js';
import type { PeerConnection } from '../peers/peer-connection.js';
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
  private readonly senders = new WeakMap<PeerConnection, Readonly<Record<Priority, PushSender>>>();

  constructor(private readonly connections: Connections) {}

  /** Queues the message; messages that do not fit are dropped, least important first. */
  send(peer: Peer, message: PushMessage): void {
    peer.outbox.put(message);
    this.wake(peer, priorityOf(message.kind));
  }

  /** There may be messages from before the peer was connected. */
  wakeAll(peer: Peer): void {
    this.wake(peer, 'urgent');
    this.wake(peer, 'bulk');
  }

  /** Never fails; updates the connection from the outcome. */
  async request(peer: Peer, request: PeerRequest, limits: AnswerLimits): Promise<ExchangeOutcome> {
    const { connection } = peer;
    if (connection === undefined) return { kind: 'lost', reason: 'unreachable' };
    const { parts } = this.connections;
    const message = parts.stopwatch.time(() => encodeRequest(request));
    parts.metrics.onSent(peer, message.length);
    const outcome = await exchange(connection, { kind: 'request', message, ...limits }, parts);
    this.settle(peer, connection, outcome);
    return outcome;
  }

  /** Notifies the peer that this node stops, so that it need not time out. Never fails, and does not wait long. */
  async sayGoodbye({ connection }: Peer): Promise<void> {
    if (connection === undefined) return;
    const message = encodePush([{ kind: 'leave', payload: new Uint8Array(0) }]);
    const wanted = { kind: 'push', message, timeoutMs: GOODBYE_MS, answerBytes: 64 } as const;
    await exchange(connection, wanted, this.connections.parts);
  }

  private wake(peer: Peer, priority: Priority): void {
    const { connection } = peer;
    if (connection === undefined) return;
    let senders = this.senders.get(connection);
    if (senders === undefined) {
      senders = {
        urgent: this.createSender(peer, connection, 'urgent'),
        bulk: this.createSender(peer, connection, 'bulk'),
      };
      this.senders.set(connection, senders);
    }
    senders[priority].wake();
  }

  private createSender(peer: Peer, connection: PeerConnection, priority: Priority): PushSender {
    const { clock, limits } = this.connections.parts;
    return new PushSender({
      priority,
      clock,
      outbox: peer.outbox,
      pushBytes: limits.pushBytes,
      lingerMs: priority === 'bulk' ? limits.lingerMs : 0,
      push: (messages) => this.push(peer, connection, messages),
    });
  }

  private async push(
    peer: Peer,
    connection: PeerConnection,
    messages: readonly PushMessage[],
  ): Promise<PushOutcome> {
    const { parts } = this.connections;
    const { limits, metrics, stopwatch } = parts;
    const message = stopwatch.time(() => encodePush(messages));
    metrics.onSent(peer, message.length);
    const headers = messages[0]?.trace;
    const bounds = { timeoutMs: limits.answerTimeoutMs, answerBytes: 64 };
    const wanted = { kind: 'push', message, headers, ...bounds } as const;
    const outcome = await exchange(connection, wanted, parts);
    this.settle(peer, connection, outcome);
    switch (outcome.kind) {
      case 'answered':
        return 'delivered';
      case 'busy':
        return 'busy';
      case 'late':
        // It may have received them; pings find out whether it is alive.
        return 'delivered';
      default:
        return 'lost';
    }
  }

  private settle(peer: Peer, connection: PeerConnection, outcome: ExchangeOutcome): void {
    if (peer.connection !== connection) return;
    if (outcome.kind === 'answered') {
      connection.lastHeardMs = this.connections.now();
      connection.missedPings = 0;
    } else if (outcome.kind === 'lost') {
      this.connections.fail(peer);
    } else if (outcome.kind === 'forgotten') {
      this.connections.leave(peer);
    }
  }
}
