import type { Counter, Metrics } from '@tetrad/types';

/**
 * Adds up the main thread's time for peers: encoding, sealing and passing on what is sent, opening and decoding what is
 * received, and hashing to track what each peer knows. It excludes the processing of blocks and transactions, and the
 * runtime's work for sockets and HTTP headers.
 */
export class Stopwatch {
  private readonly seconds: Counter;
  private isRunning = false;

  constructor(metrics: Metrics) {
    const help =
      'Time of the main thread for encoding, sealing, sending, opening and decoding messages of peers';
    this.seconds = metrics.counter('node_peer_seconds_total', help);
  }

  /** Does the work and counts its time; work within it is counted once, and of a promise only what comes before it. */
  time<T>(work: () => T): T {
    if (this.isRunning) return work();
    this.isRunning = true;
    const started = performance.now();
    try {
      return work();
    } finally {
      this.isRunning = false;
      this.seconds.increment({}, (performance.now() - started) / 1_000);
    }
  }
}
