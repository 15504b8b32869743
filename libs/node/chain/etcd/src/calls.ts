import type { Clock, Counter, Histogram, Metrics } from '@tetrad/types';
import type { Endpoint } from './endpoint.js';
import type { EndpointRotation } from './endpoint-rotation.js';
import { EtcdError } from './etcd-error.js';
import { refusalOf } from './refusals.js';
import type { Session } from './session.js';

export interface Call<T> {
  /** For metrics. */
  readonly name: string;
  /** Below `/v3/`. */
  readonly path: string;
  readonly body: object;
  /** Maximum size in bytes of the answer. */
  readonly maxBytes: number;
  /** Whether the call is idempotent. Other calls are never sent again once they may have been executed. */
  readonly isSafe: boolean;
  /** @throws EtcdError malformed */
  readonly read: (body: Buffer, endpoint: string) => T;
}

export interface CallOptions {
  readonly requestTimeoutMs: number;
  readonly metrics: Metrics;
  readonly clock: Clock;
}

/** Limit of one request; etcd accepts 1.5 MiB by default. */
const MAX_REQUEST_CHARACTERS = 64 * 1_048_576;

/** Sends requests with one answer, to the endpoints in turn. */
export class Calls {
  private readonly requests: Counter;
  private readonly seconds: Histogram;
  private isClosed = false;

  constructor(
    private readonly rotation: EndpointRotation,
    private readonly session: Session,
    private readonly options: CallOptions,
  ) {
    const { metrics } = options;
    this.requests = metrics.counter('node_etcd_requests_total', 'Requests to etcd', ['request', 'outcome']);
    this.seconds = metrics.histogram('node_etcd_request_seconds', 'Time a request to etcd takes', [
      'request',
    ]);
  }

  /** @throws EtcdError; unknown-outcome only when the call is not safe */
  async call<T>(call: Call<T>): Promise<T> {
    const start = this.options.clock.now();
    try {
      const value = await this.anywhere(call);
      this.requests.increment({ request: call.name, outcome: 'done' });
      return value;
    } catch (error) {
      this.requests.increment({
        request: call.name,
        outcome: error instanceof EtcdError ? error.kind : 'failed',
      });
      throw error;
    } finally {
      this.seconds.observe(Math.max(0, this.options.clock.now() - start) / 1_000, { request: call.name });
    }
  }

  /**
   * One attempt at one endpoint, without a change of the rotation.
   * @throws EtcdError
   */
  async at<T>(endpoint: Endpoint, call: Call<T>, timeoutMs = this.options.requestTimeoutMs): Promise<T> {
    const timeLeft = this.stopwatch(timeoutMs);
    const body = bodyOf(call);
    return this.session.authorized(endpoint, timeLeft, async (token) => {
      const { path, maxBytes } = call;
      const answer = await endpoint.post({ path, body, token, maxBytes, timeoutMs: Math.max(1, timeLeft()) });
      if (answer.status !== 200) throw refusalOf(endpoint.url, answer.status, answer.body);
      return call.read(answer.body, endpoint.url);
    });
  }

  close(): void {
    this.isClosed = true;
  }

  private async anywhere<T>(call: Call<T>): Promise<T> {
    const timeLeft = this.stopwatch(this.options.requestTimeoutMs);
    const problems: EtcdError[] = [];
    const order = this.rotation.order();
    for (const [index, endpoint] of order.entries()) {
      if (this.isClosed) throw new EtcdError('unavailable', 'the client of etcd is closed');
      if (timeLeft() <= 0) break;
      // A call that cannot be tried elsewhere gets all remaining time.
      const share = call.isSafe ? timeLeft() / (order.length - index) : timeLeft();
      try {
        const value = await this.at(endpoint, call, Math.max(1, Math.floor(share)));
        this.rotation.worked(endpoint);
        return value;
      } catch (error) {
        if (!(error instanceof EtcdError)) throw error;
        problems.push(this.check(endpoint, error, call.isSafe));
      }
    }
    throw combined(problems);
  }

  /**
   * Records the failure of an endpoint where another one may succeed.
   * @throws EtcdError where none would
   */
  private check(endpoint: Endpoint, error: EtcdError, isSafe: boolean): EtcdError {
    const isElsewhere = ['unavailable', 'no-leader', 'malformed'].includes(error.kind);
    if (isElsewhere && !this.isClosed) this.rotation.failed(endpoint, error.message);
    else if (error.refusal !== undefined) this.rotation.worked(endpoint);
    if (!isSafe && error.mayBeExecuted)
      throw new EtcdError('unknown-outcome', `whether etcd did it is unknown: ${error.message}`, {
        mayBeExecuted: true,
        cause: error,
        refusal: error.refusal,
      });
    if (!isElsewhere) throw error;
    return error;
  }

  private stopwatch(timeoutMs: number): () => number {
    const { clock } = this.options;
    const start = clock.now();
    // A clock that was set back does not extend the time.
    return () => Math.min(timeoutMs, timeoutMs - (clock.now() - start));
  }
}

function bodyOf({ body, name }: Call<unknown>): string {
  const text = JSON.stringify(body);
  if (text.length <= MAX_REQUEST_CHARACTERS) return text;
  throw new EtcdError('too-large', `a ${name} of ${text.length} characters is not sent to etcd`);
}

/** One error for several endpoints. */
function combined(problems: readonly EtcdError[]): EtcdError {
  const [first] = problems;
  if (problems.length <= 1) return first ?? new EtcdError('unavailable', 'no time was left to ask etcd');
  const { kind } = problems.find((one) => one.kind === 'no-leader') ?? (first as EtcdError);
  const isOne = problems.every((one) => one.kind === kind) || kind === 'no-leader';
  const text = `no endpoint of etcd answers: ${problems.map(({ message }) => message).join('; ')}`;
  return new EtcdError(isOne ? kind : 'unavailable', text, {
    mayBeExecuted: problems.some(({ mayBeExecuted }) => mayBeExecuted),
    cause: first,
  });
}
