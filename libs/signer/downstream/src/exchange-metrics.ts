import type { FramingError } from '@tetrad/rpc';
import { silentMetrics, type Counter, type Gauge, type Metrics, type RequestError } from '@tetrad/types';

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

  /** @param failure - as `clientFailure` gives it */
  finished(startedMs: number, failure?: RequestError | FramingError): void {
    const outcome = failure === undefined ? 'answered' : outcomeOf(failure);
    this.requests.increment({ outcome });
    this.seconds.observe((performance.now() - startedMs) / 1_000);
    this.reachable.set(failure === undefined ? 1 : 0);
  }
}

function outcomeOf({ code }: RequestError | FramingError): string {
  switch (code) {
    case 'CONNECTION_TO_DOWNSTREAM_NODE_TIMED_OUT':
      return 'timed out';
    case 'FAILED_TO_CONNECT_TO_DOWNSTREAM_NODE':
      return 'unreachable';
    case 'DOWNSTREAM_NODE_NOT_TRUSTED':
      return 'not trusted';
    default:
      return 'lost';
  }
}
