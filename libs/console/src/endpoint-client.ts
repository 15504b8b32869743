import { Agent, request, type Dispatcher } from 'undici';

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

/** Passes batches on to services of one kind, which see the same token. */
export class EndpointClient {
  private readonly agent: Agent;

  constructor(private readonly options: EndpointClientOptions) {
    const { timeoutMs } = options;
    this.agent = new Agent({
      ...{ connections: MAX_CONNECTIONS, connect: { timeout: timeoutMs }, maxResponseSize: MAX_ANSWER_BYTES },
      ...{ headersTimeout: timeoutMs, bodyTimeout: timeoutMs },
    });
  }

  /**
   * The answer of a service to a batch, as it came.
   *
   * Fails: EndpointUnavailable with a reason that holds no address
   */
  async ask({ rpc }: { readonly rpc: string }, batch: string): Promise<Uint8Array> {
    try {
      const answer = await request(rpc, {
        ...{ method: 'POST', body: batch, dispatcher: this.agent as Dispatcher },
        headers: { ...this.options.headers(), 'content-type': 'application/json' },
        signal: AbortSignal.timeout(this.options.timeoutMs),
      });
      const body = new Uint8Array(await answer.body.arrayBuffer());
      if (answer.statusCode === 200) return body;
      throw new EndpointUnavailable(`answers with HTTP status ${answer.statusCode}`);
    } catch (error) {
      if (error instanceof EndpointUnavailable) throw error;
      throw new EndpointUnavailable(reasonOf(error));
    }
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }
}

function reasonOf(error: unknown): string {
  const { name, code } = error as { readonly name?: string; readonly code?: string };
  if (name === 'TimeoutError' || code?.includes('TIMEOUT')) return 'does not answer in time';
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return `answers with more than ${MAX_ANSWER_BYTES} bytes`;
  return 'cannot be reached';
}
