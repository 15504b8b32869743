import type { Metrics } from '@tetrad/types';
import { Counter, Gauge, Registry, collectDefaultMetrics, type Metric } from 'prom-client';
import { BucketHistogram } from './histogram.js';
import { ScrapeReads } from './scrape-reads.js';

/** An instrument, as a reference page describes it. */
export interface InstrumentDefinition {
  readonly name: string;
  readonly kind: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** Instruments of one process, and their text for a scraper. */
export interface ServiceMetrics extends Metrics {
  /** The response to `GET /metrics`. */
  expose(): Promise<string>;
  /** All instruments by name, those without a value yet included; the response to `GET /metrics/definitions`. */
  definitions(): InstrumentDefinition[];
  readonly contentType: string;
}

/** Seconds, from a cached read to a block's execution. */
const DEFAULT_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Instruments on a registry of their own, with the usual ones of the process (CPU, memory, event loop, garbage
 * collection) and the service's version.
 * @throws TypeError when a name is asked for again as another kind of instrument
 */
export function createMetrics(options: {
  readonly service: string;
  readonly version: string;
}): ServiceMetrics {
  const registry = new Registry();
  const reads = new ScrapeReads();
  collectDefaultMetrics({ register: registry });
  const build = new Gauge({
    name: 'tetrad_build_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: ['service', 'version'],
    registers: [registry],
  });
  build.set(options, 1);
  return {
    ...instruments(registry),
    onScrape: (read) => reads.add(read),
    async expose() {
      await reads.run();
      return registry.metrics();
    },
    definitions: () => definitionsOf(registry),
    contentType: registry.contentType,
  };
}

function instruments(registry: Registry): Omit<Metrics, 'onScrape'> {
  const registers = [registry];
  return {
    counter(name, help, labelNames = []) {
      const counter = once(
        registry,
        name,
        CollectedCounter,
        () => new CollectedCounter(registry, { name, help, labelNames }),
      );
      return {
        increment: (labels = {}, by = 1) => counter.inc(labels, by),
        series: (labels) => counter.series(labels),
      };
    },
    gauge(name, help, labelNames = []) {
      const gauge = once(registry, name, Gauge, () => new Gauge({ name, help, labelNames, registers }));
      return { set: (value, labels = {}) => gauge.set(labels, value) };
    },
    histogram(name, help, labelNames = [], buckets = DEFAULT_BUCKETS) {
      return once(registry, name, BucketHistogram, () => {
        const histogram = new BucketHistogram(name, help, labelNames, buckets);
        registry.registerMetric(histogram as unknown as Metric);
        return histogram;
      });
    },
  };
}

/** The events of one series since the last scrape. */
interface PendingEvents {
  readonly labels: Readonly<Record<string, string>>;
  count: number;
  increment(): void;
}

/** A counter that collects the events of its series at a scrape: an event is an addition. */
class CollectedCounter extends Counter {
  private readonly pending: PendingEvents[] = [];

  constructor(
    registry: Registry,
    definition: { readonly name: string; readonly help: string; readonly labelNames: readonly string[] },
  ) {
    super({ ...definition, registers: [registry], collect: () => this.collectPending() });
  }

  series(labels: Readonly<Record<string, string>>): { increment(): void } {
    const events: PendingEvents = {
      labels,
      count: 0,
      increment() {
        this.count++;
      },
    };
    this.pending.push(events);
    return events;
  }

  private collectPending(): void {
    for (const events of this.pending) {
      if (events.count > 0) this.inc(events.labels, events.count);
      events.count = 0;
    }
  }
}

function definitionsOf(registry: Registry): InstrumentDefinition[] {
  // The library's types leave out what every instrument has.
  const all = registry.getMetricsAsArray() as unknown as readonly {
    readonly name: string;
    readonly help: string;
    readonly type: string;
    readonly labelNames?: readonly string[];
  }[];
  return all
    .map(({ name, help, type: kind, labelNames = [] }) => ({ name, kind, help, labels: [...labelNames] }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

function once<T extends object>(
  registry: Registry,
  name: string,
  kind: abstract new (...args: never[]) => T,
  create: () => T,
): T {
  const existing: unknown = registry.getSingleMetric(name);
  if (existing === undefined) return create();
  if (existing instanceof kind) return existing;
  throw new TypeError(`metric ${name} exists as another kind of instrument`);
}
