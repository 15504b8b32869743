import type { Counter, Histogram, Metrics } from '@tetrad/types';

/** The label of requests that never became a call: bad JSON, bad envelopes, methods that are not served here. */
const NO_METHOD = 'none';

/** The series of one method. */
interface MethodSeries {
  readonly calls: ReturnType<Counter['series']>;
  readonly seconds: ReturnType<Histogram['series']>;
}

/** Counts calls, errors by reason and time, per method. Only methods that are served become labels. */
export class CallTracker {
  private readonly calls: Counter;
  private readonly errors: Counter;
  private readonly seconds: Histogram;
  /** Made once for each method, so that a call costs one lookup. */
  private readonly methods = new Map<string, MethodSeries>();

  constructor(metrics: Metrics, service: string) {
    const prefix = service.replaceAll('-', '_');
    this.calls = metrics.counter(`${prefix}_rpc_calls_total`, 'JSON-RPC calls', ['method']);
    this.errors = metrics.counter(`${prefix}_rpc_errors_total`, 'JSON-RPC errors, by reason', [
      'method',
      'reason',
    ]);
    this.seconds = metrics.histogram(`${prefix}_rpc_call_seconds`, 'Time a JSON-RPC call takes', ['method']);
  }

  succeeded(method: string, startedMs: number): void {
    this.finished(method, startedMs);
  }

  failed(method: string, reason: string, startedMs: number): void {
    this.finished(method, startedMs);
    this.errors.increment({ method, reason });
  }

  rejected(reason: string): void {
    this.errors.increment({ method: NO_METHOD, reason });
  }

  private finished(method: string, startedMs: number): void {
    const series = this.methods.get(method) ?? this.open(method);
    series.calls.increment();
    series.seconds.observe((performance.now() - startedMs) / 1000);
  }

  private open(method: string): MethodSeries {
    const labels = { method };
    const series = { calls: this.calls.series(labels), seconds: this.seconds.series(labels) };
    this.methods.set(method, series);
    return series;
  }
}
