import type { Counter, Histogram, Metrics } from '@tetrad/types';

/** Counts calls, errors by reason and time, per method. */
export class CallTracker {
  private readonly calls: Counter;
  private readonly errors: Counter;
  private readonly seconds: Histogram;

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
    const labels = { method };
    this.calls.increment(labels);
    this.seconds.observe((performance.now() - startedMs) / 1000, labels);
  }

  failed(method: string, reason: string): void {
    this.calls.increment({ method });
    this.errors.increment({ method, reason });
  }
}
