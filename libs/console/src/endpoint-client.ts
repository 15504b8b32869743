import { Agent, request, type Dispatcher } from 'undici';
import { outcomeOf, type WriteOutcome } from './write-answer.js';

/** Bytes of a service's answer to one request. */
const MAX_ANSWER_BYTES = 8_388_608;
/** Connections with one service. */
const MAX_CONNECTIONS = 8;

/** A service that gave no answer that can be passed on. */
export class EndpointUnavailable extends Error {
  override readonly name = 'EndpointUnavailable';
}

export interface EndpointClientOptions {
  readonly timeoutMs: number;
  /** Headers of every request, such as a token. */
  readonly headers: () => Readonly<Record<string, string>>;
}

/** Passes batches or writes on to services of one kind, which see the same token. */
export class EndpointClient {
  private readonly agent: Agent;

  constructor(private readonly options: EndpointClientOptions) {
    const { timeoutMs } = options;
    this.agent = new Agent({
      connections: MAX_CONNECTIONS,
      connect: { timeout: timeoutMs },
      maxResponseSize: MAX_ANSWER_BYTES,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
  }

  /**
   * The answer of a service to a batch, as it came.
   * @throws EndpointUnavailable with a reason that holds no address
   */
  async ask({ rpc }: { readonly rpc: string }, batch: string): Promise<Uint8Array> {
    const { status, body } = await this.post(rpc, batch).catch((error: unknown) => {
      throw new EndpointUnavailable(reasonOf(error));
    });
    if (status === 200) return body;
    throw new EndpointUnavailable(`answers with HTTP status ${status}`);
  }

  /** Sends one write, once, and says what became of it. Messages hold no address. */
  async write({ rpc }: { readonly rpc: string }, call: string): Promise<WriteOutcome> {
    try {
      const { status, body } = await this.post(rpc, call);
      return outcomeOf(status, body);
    } catch (error) {
      return { kind: neverConnected(error) ? 'unsent' : 'unknown', message: reasonOf(error) };
    }
  }

  private async post(url: string, text: string): Promise<{ status: number; body: Uint8Array }> {
    const answer = await request(url, {
      method: 'POST',
      body: text,
      dispatcher: this.agent as Dispatcher,
      headers: { ...this.options.headers(), 'content-type': 'application/json' },
      signal: AbortSignal.timeout(this.options.timeoutMs),
    });
    return { status: answer.statusCode, body: new Uint8Array(await answer.body.arrayBuffer()) };
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }
}

/** Nothing of the request has left this host. */
const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

function neverConnected(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(neverConnected);
  return NEVER_CONNECTED.has((error as { readonly code?: string }).code ?? '');
}

function reasonOf(error: unknown): string {
  const { name, code } = error as { readonly name?: string; readonly code?: string };
  if (name === 'TimeoutError' || code?.includes('TIMEOUT')) return 'does not answer in time';
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return `answers with more than ${MAX_ANSWER_BYTES} bytes`;
  return 'cannot be reached';
}
