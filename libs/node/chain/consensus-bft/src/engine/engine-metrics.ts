import type { Counter, Gauge, Histogram, Metrics } from '@tetrad/types';
import type { Report } from '../machine/effects.js';
import type { MachineState } from '../machine/state.js';
import type { MessageKind } from '../messages/consensus-message.js';

const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Metrics of consensus; methods are events. */
export class EngineMetrics {
  private readonly height: Gauge;
  private readonly round: Gauge;
  private readonly lapses: Gauge;
  private readonly sent: Counter;
  private readonly received: Counter;
  private readonly reports: Counter;
  private readonly seconds: Counter;
  private readonly decision: Histogram;
  private proposedAtMs: number | undefined;

  constructor(metrics: Metrics) {
    this.height = metrics.gauge('node_consensus_height_number', 'Number of the block that is decided on');
    this.round = metrics.gauge('node_consensus_round_number', 'Round of that decision');
    // A validator that hears of no quorum repeats its round: only its time-outs grow (docs/adr/0032).
    this.lapses = metrics.gauge(
      'node_consensus_round_timeouts',
      'Rounds of that decision that ended by their time',
    );
    this.lapses.set(0);
    const kind = ['kind'];
    this.sent = metrics.counter('node_consensus_messages_sent_total', 'Consensus messages sent', kind);
    this.received = metrics.counter(
      'node_consensus_messages_received_total',
      'Consensus messages received, by kind, or by why they were not taken',
      kind,
    );
    this.reports = metrics.counter('node_consensus_reports_total', 'What validators did wrong', ['what']);
    this.seconds = metrics.counter('node_consensus_seconds_total', 'CPU time of consensus');
    const help = 'Time from a proposal to its quorum of seals';
    this.decision = metrics.histogram('node_consensus_decision_seconds', help, [], BUCKETS);
  }

  messageSent(kind: MessageKind): void {
    this.sent.increment({ kind });
  }

  messageReceived(kind: MessageKind | 'duplicate' | 'old' | 'notValidator' | 'busy' | 'invalid'): void {
    this.received.increment({ kind });
  }

  reported(what: Report['what']): void {
    this.reports.increment({ what });
  }

  worked(milliseconds: number): void {
    this.seconds.increment({}, milliseconds / 1000);
  }

  /** @param nowMs - by the engine's clock */
  moved(before: MachineState, after: MachineState, nowMs: number): void {
    if (before.height !== after.height) this.height.set(after.height?.height ?? 0);
    if (before.height !== after.height || before.round !== after.round) this.round.set(after.round);
    if (before.lapses !== after.lapses) this.lapses.set(after.lapses);
    if (before.phase === after.phase) return;
    if (after.phase === 'validating' || before.phase === 'awaiting') this.proposedAtMs = nowMs;
    if (after.phase === 'committed' && this.proposedAtMs !== undefined)
      this.decision.observe((nowMs - this.proposedAtMs) / 1000);
  }
}
