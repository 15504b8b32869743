import type { Address, Gauge, Logger, Metrics } from '@tetrad/types';
import type { Peer } from '../peers/peer.js';
import { MAX_CLOCK_DIFFERENCE_MS } from '../session/introduce.js';
import { clockOffset } from './clock-offset.js';

/** From here on the difference is worth a warning: a proposal that is early by so much may cost its round. */
const WARN_MS = 2_000;
/** From here on this node delays blocks of others, or has its own refused. */
const BAD_MS = 10_000;

/** What is wrong with this host's clock. */
export interface ClockTrouble {
  /** Whether blocks suffer from it. */
  readonly isBad: boolean;
  readonly reason: string;
}

export interface ClockWatchOptions {
  readonly now: () => number;
  readonly peers: () => readonly Peer[];
  readonly validators: () => readonly Address[];
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Compares this host's clock with those of its peers. */
export class ClockWatch {
  private wasOff = false;
  private readonly gauge: Gauge;

  constructor(private readonly options: ClockWatchOptions) {
    const help =
      'How far the clocks of the peers are ahead of this host, their median; negative when its clock is fast';
    this.gauge = options.metrics.gauge('node_clock_offset_seconds', help);
    options.metrics.onScrape(() => this.gauge.set(this.offsetMs() / 1_000));
  }

  /** Logs when the clock begins or ceases to be off. */
  tick(): void {
    const trouble = this.trouble();
    if ((trouble !== undefined) === this.wasOff) return;
    this.wasOff = trouble !== undefined;
    const seconds = this.offsetMs() / 1_000;
    if (trouble === undefined)
      this.options.logger.info('the clock of this host agrees with its peers again', { seconds });
    else this.options.logger.warn(trouble.reason, { seconds });
  }

  trouble(): ClockTrouble | undefined {
    const offsetMs = this.offsetMs();
    const isBad = Math.abs(offsetMs) > BAD_MS;
    if (Math.abs(offsetMs) <= WARN_MS) return undefined;
    // A peer that refuses a handshake does not say which clock is ahead.
    if (Math.abs(offsetMs) >= MAX_CLOCK_DIFFERENCE_MS)
      return { isBad, reason: 'the clock of this host and those of its peers are ten minutes or more apart' };
    const seconds = (Math.abs(offsetMs) / 1_000).toFixed(1);
    return {
      isBad,
      reason: `the clock of this host is ${seconds} s ${offsetMs > 0 ? 'behind' : 'ahead of'} its peers`,
    };
  }

  private offsetMs(): number {
    const { now, peers, validators } = this.options;
    const nowMs = now();
    const claims = peers().map(({ address, clock }) => ({ address, offsetMs: clock.offsetMs(nowMs) }));
    return clockOffset(claims, validators());
  }
}
