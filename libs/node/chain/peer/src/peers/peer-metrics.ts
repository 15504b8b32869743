import type { Counter, Gauge, Histogram, Metrics } from '@tetrad/types';
import type { NodeId } from '../identity/node-id.js';
import type { PushKind } from '../wire/push-message.js';
import type { Penalty } from './peer-score.js';
import type { Peer } from './peer.js';

/**
 * Peers with a label of their own though no operator has named them. Later ones share one label, so that strangers with
 * ever new keys do not fill the memory with series. A label is kept until the process ends: a series cannot be removed.
 */
const MAX_STRANGERS = 64;
const OTHERS = 'other';

/** Metrics of peers. Static and trusted ones always have a label of their own: the operator has named them. */
export class PeerMetrics {
  private readonly labels = new Map<NodeId, string>();
  private strangers = 0;
  /** Labels with a number of waiting messages. */
  private readonly waitingLabels = new Set<string>();
  private readonly counts: Gauge;
  private readonly streams: Gauge;
  private readonly received: Counter;
  private readonly sent: Counter;
  private readonly waiting: Gauge;
  private readonly dropped: Counter;
  private readonly penalties: Counter;
  private readonly rejections: Counter;
  private readonly roundTrip: Histogram;

  /** @param isTrusted - whether the operator lets the node connect beyond the limit of peers */
  constructor(
    metrics: Metrics,
    private readonly isTrusted: (nodeId: NodeId) => boolean = () => false,
  ) {
    this.counts = metrics.gauge('node_peers', 'Peers by the state of their connection', ['state']);
    this.streams = metrics.gauge('node_peer_streams', 'Connections over which peers stream their messages');
    this.received = metrics.counter('node_peer_received_bytes', 'Bytes of messages of a peer', ['peer']);
    this.sent = metrics.counter('node_peer_sent_bytes', 'Bytes of messages to a peer', ['peer']);
    this.waiting = metrics.gauge('node_peer_waiting_messages', 'Messages that wait to be sent to a peer', [
      'peer',
    ]);
    this.dropped = metrics.counter('node_peer_dropped_messages', 'Messages given up for want of room', [
      'kind',
    ]);
    this.penalties = metrics.counter('node_peer_offences', 'What peers did wrong', ['peer', 'offence']);
    this.rejections = metrics.counter('node_peer_refused_messages', 'Messages that were not let in', [
      'reason',
    ]);
    this.roundTrip = metrics.histogram('node_peer_round_trip_seconds', 'Time of a ping', ['peer']);
  }

  onReceived(peer: Peer, bytes: number): void {
    this.received.increment({ peer: this.labelOf(peer) }, bytes);
  }

  onSent(peer: Peer, bytes: number): void {
    this.sent.increment({ peer: this.labelOf(peer) }, bytes);
  }

  onDropped(kind: PushKind): void {
    this.dropped.increment({ kind });
  }

  onPenalty(peer: Peer, penalty: Penalty): void {
    this.penalties.increment({ peer: this.labelOf(peer), offence: penalty });
  }

  /** @param reason - from a closed set, never text of a peer */
  onRefused(reason: string): void {
    this.rejections.increment({ reason });
  }

  onRoundTrip(peer: Peer, ms: number): void {
    this.roundTrip.observe(ms / 1_000, { peer: this.labelOf(peer) });
  }

  /** @param streams - that peers opened */
  report(peers: readonly Peer[], streams: number): void {
    this.streams.set(streams);
    const states = ['idle', 'connecting', 'connected', 'backing off', 'banned'] as const;
    for (const state of states) {
      this.counts.set(peers.filter((peer) => peer.state.kind === state).length, { state });
    }
    this.reportWaiting(peers.filter(({ isConnected }) => isConnected));
  }

  private reportWaiting(connected: readonly Peer[]): void {
    // A peer that has left keeps its series, in which nothing waits any more.
    const sums = new Map([...this.waitingLabels].map((label) => [label, 0]));
    for (const peer of connected) {
      const label = this.labelOf(peer);
      sums.set(label, (sums.get(label) ?? 0) + peer.outbox.messages);
    }
    for (const [peer, sum] of sums) {
      this.waitingLabels.add(peer);
      this.waiting.set(sum, { peer });
    }
  }

  private labelOf({ nodeId, shortId, isStatic }: Peer): string {
    const known = this.labels.get(nodeId);
    if (known !== undefined) return known;
    if (!isStatic && !this.isTrusted(nodeId)) {
      if (this.strangers >= MAX_STRANGERS) return OTHERS;
      this.strangers++;
    }
    this.labels.set(nodeId, shortId);
    return shortId;
  }
}
