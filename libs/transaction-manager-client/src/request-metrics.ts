import { silentMetrics, type Counter, type Gauge, type Histogram, type Metrics } from '@tetrad/types';
import type { Outcome } from './outcome.js';

/** A request as it is counted. */
export interface CountedRequest {
  /** With its query; only the first part is counted, as others name payloads. */
  readonly path: string;
  readonly signal?: AbortSignal | undefined;
}

/** The manager as its client sees it: requests, failures, time, and whether it can be reached. */
export class RequestMetrics {
  private readonly requests: Counter;
  private readonly seconds: Histogram;
  private readonly reachable: Gauge;

  constructor(metrics: Metrics = silentMetrics) {
    this.requests = metrics.counter(
      'node_manager_requests_total',
      'Requests to the transaction manager: done, refused by it, aborted here, or unknown without a usable answer',
      ['request', 'outcome'],
    );
    this.seconds = metrics.histogram(
      'node_manager_request_seconds',
      'Time that a request to the transaction manager takes',
      ['request'],
    );
    this.reachable = metrics.gauge(
      'node_manager_reachable',
      '1 when the last request to the transaction manager was answered, otherwise 0',
    );
  }

  finished({ path, signal }: CountedRequest, kind: Outcome<unknown>['kind'], startedMs: number): void {
    const [, request = ''] = path.split(/[/?]/, 2);
    const isAborted = kind === 'unknown' && signal?.aborted === true && !isTimeout(signal.reason);
    this.requests.increment({ request, outcome: isAborted ? 'aborted' : kind });
    this.seconds.observe((performance.now() - startedMs) / 1_000, { request });
    if (!isAborted) this.reachable.set(kind === 'unknown' ? 0 : 1);
  }
}

/** Callers that wait for a limited time abort too; then the manager is slow. */
function isTimeout(reason: unknown): boolean {
  return (reason as { readonly name?: unknown } | undefined)?.name === 'TimeoutError';
}
