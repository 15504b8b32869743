import type { Counter, Histogram, Metrics } from '@tetrad/types';

/** The label of requests that never became a call: bad JSON, bad envelopes, methods that are not served here. */
const NO_METHOD = 'none';

/** Counts calls, errors by reason and time, per method. */
export class CallTracker {
  private readonly calls: Counter;
  private readonly errors: Counter;
  private readonly seconds: Histogram;
  /** Labels of the methods, made once. */
  private readonly labels = new Map<string, { readonly method: string }>();

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
    const labels = this.labelsOf(method);
    this.calls.increment(labels);
    this.seconds.observe((performance.now() - startedMs) / 1000, labels);
  }

  private labelsOf(method: string): { readonly method: string } {
    let labels = this.labels.get(method);
    if (labels === undefined) this.labels.set(method, (labels = { method }));
    return labels;
  }
}
