/** The process as domain code sees it; `libs/service` implements all three. */

/** Values of one log line. Never keys, passwords or payloads. */
export type LogValues = Readonly<Record<string, unknown>> & {
  /** Every line has its service, in whose place no value is written. */
  readonly service?: never;
};

/** Constant message first, values second, the error among the values as `error`. */
export interface Logger {
  debug(message: string, values?: LogValues): void;
  info(message: string, values?: LogValues): void;
  warn(message: string, values?: LogValues): void;
  error(message: string, values?: LogValues): void;
  child(values: LogValues): Logger;
}

export interface Counter {
  increment(labels?: Readonly<Record<string, string>>, by?: number): void;
  /** One series of it, for code that runs at every call: labels are looked up here and not at each event. */
  series(labels: Readonly<Record<string, string>>): { increment(): void };
}

export interface Gauge {
  set(value: number, labels?: Readonly<Record<string, string>>): void;
}

export interface Histogram {
  observe(value: number, labels?: Readonly<Record<string, string>>): void;
  /** As that of a counter. */
  series(labels: Readonly<Record<string, string>>): { observe(value: number): void };
}

/**
 * Names are `<service>_<thing>_<unit>`, or `tetrad_<thing>_<unit>` where every service has the same; asking for a name again
 * gives the same instrument.
 */
export interface Metrics {
  counter(name: string, help: string, labels?: readonly string[]): Counter;
  gauge(name: string, help: string, labels?: readonly string[]): Gauge;
  histogram(name: string, help: string, labels?: readonly string[], buckets?: readonly number[]): Histogram;
  /**
   * Runs the work before each scrape, to set gauges whose value is read and not counted. A scrape waits for at most a
   * second; when the work fails or takes longer, the gauges keep their values.
   */
  onScrape(read: () => Promise<void> | void): void;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs the task once after the delay, at the latest after 24 days; the result cancels it. */
  schedule(delayMs: number, task: () => void): () => void;
}

/** A logger that discards everything, for code that is used outside a service. */
export const silentLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLogger,
};

const silent = { increment() {}, set() {}, observe() {}, series: () => silentSeries };
const silentSeries = { increment() {}, observe() {} };

/** Instruments that discard everything, for code that is used outside a service. */
export const silentMetrics: Metrics = {
  counter: () => silent,
  gauge: () => silent,
  histogram: () => silent,
  onScrape() {},
};

/** The maximum delay of a Node.js timer, 24.8 days; a longer one would fire at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  schedule(delayMs, task) {
    const timer = setTimeout(task, Math.min(delayMs, MAX_DELAY_MS));
    return () => clearTimeout(timer);
  },
};
