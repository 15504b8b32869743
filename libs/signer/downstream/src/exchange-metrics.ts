import type { FramingError } from '@tetrad/rpc';
import { silentMetrics, type Counter, type Gauge, type Metrics, type RequestError } from '@tetrad/types';

/** Code of `clientFailure` → outcome; others mean that the connection was lost. */
const OUTCOMES: Readonly<Record<string, string>> = {
  CONNECTION_TO_DOWNSTREAM_NODE_TIMED_OUT: 'timed out',
  FAILED_TO_CONNECT_TO_DOWNSTREAM_NODE: 'unreachable',
  DOWNSTREAM_NODE_NOT_TRUSTED: 'not trusted',
};

/** The Ethereum client as the signer sees it. */
export class ExchangeMetrics {
  private readonly requests: Counter;
  private readonly seconds: { observe(value: number): void };
  private readonly reachable: Gauge;

  constructor(metrics: Metrics = silentMetrics) {
    this.requests = metrics.counter(
      'signer_downstream_requests_total',
      'HTTP requests to the Ethereum client: answered, timed out, unreachable, not trusted or lost',
      ['outcome'],
    );
    this.seconds = metrics
      .histogram('signer_downstream_request_seconds', 'Time that a request to the Ethereum client takes')
      .series({});
    this.reachable = metrics.gauge(
      'signer_downstream_reachable',
      '1 when the last request to the Ethereum client was answered, otherwise 0',
    );
  }

  /** In: failure — as `clientFailure` gives it */
  finished(startedMs: number, failure?: RequestError | FramingError): void {
    const outcome = failure === undefined ? 'answered' : (OUTCOMES[failure.code] ?? 'lost');
    this.requests.increment({ outcome });
    this.seconds.observe((performance.now() - startedMs) / 1_000);
    this.reachable.set(failure === undefined ? 1 : 0);
  }
}
