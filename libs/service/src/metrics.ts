import type { Metrics } from '@tetrad/types';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics, type Metric } from 'prom-client';

/** Instruments of one process, and their text for a scraper. */
export interface ServiceMetrics extends Metrics {
  /** The response to `GET /metrics`. */
  expose(): Promise<string>;
  readonly contentType: string;
}

/** Seconds, from a cached read to a block's execution. */
const DEFAULT_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Instruments on a registry of their own, with the usual ones of the process (CPU, memory, event loop, garbage
 * collection) and the service's version.
 *
 * Fails: TypeError when a name is asked for again as another kind of instrument
 */
export function createMetrics(options: {
  readonly service: string;
  readonly version: string;
}): ServiceMetrics {
  const registry = new Registry();
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
    expose: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function instruments(registry: Registry): Metrics {
  const registers = [registry];
  return {
    counter(name, help, labelNames = []) {
      const counter = once(registry, name, Counter, () => new Counter({ name, help, labelNames, registers }));
      return { increment: (labels = {}, by = 1) => counter.inc(labels, by) };
    },
    gauge(name, help, labelNames = []) {
      const gauge = once(registry, name, Gauge, () => new Gauge({ name, help, labelNames, registers }));
      return { set: (value, labels = {}) => gauge.set(labels, value) };
    },
    histogram(name, help, labelNames = [], buckets = DEFAULT_BUCKETS) {
      const histogram = once(
        registry,
        name,
        Histogram,
        () => new Histogram({ name, help, labelNames, buckets: [...buckets], registers }),
      );
      return { observe: (value, labels = {}) => histogram.observe(labels, value) };
    },
  };
}

function once<T extends Metric>(
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
