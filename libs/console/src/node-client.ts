import { Agent, request, type Dispatcher } from 'undici';
import type { NodeEndpoint } from './endpoints-file.js';

/** Bytes of a node's answer to one request. */
const MAX_ANSWER_BYTES = 8_388_608;
/** Connections with one node. */
const MAX_CONNECTIONS = 8;

/** A node that gave no answer that can be passed on. */
export class NodeUnavailable extends Error {
  override readonly name = 'NodeUnavailable';
}

export interface NodeClientOptions {
  readonly timeoutMs: number;
  /** Headers of every request, such as a token. */
  readonly headers: () => Readonly<Record<string, string>>;
}

/** Passes batches on to nodes. */
export class NodeClient {
  private readonly agent: Agent;

  constructor(private readonly options: NodeClientOptions) {
    const { timeoutMs } = options;
    this.agent = new Agent({
      ...{ connections: MAX_CONNECTIONS, connect: { timeout: timeoutMs }, maxResponseSize: MAX_ANSWER_BYTES },
      ...{ headersTimeout: timeoutMs, bodyTimeout: timeoutMs },
    });
  }

  /**
   * The answer of the node to a batch, as it came.
   *
   * Fails: NodeUnavailable with a reason that holds no address
   */
  async ask({ rpc }: NodeEndpoint, batch: string): Promise<Uint8Array> {
    try {
      const answer = await request(rpc, {
        ...{ method: 'POST', body: batch, dispatcher: this.agent as Dispatcher },
        headers: { ...this.options.headers(), 'content-type': 'application/json' },
        signal: AbortSignal.timeout(this.options.timeoutMs),
      });
      const body = new Uint8Array(await answer.body.arrayBuffer());
      if (answer.statusCode === 200) return body;
      throw new NodeUnavailable(`answers with HTTP status ${answer.statusCode}`);
    } catch (error) {
      if (error instanceof NodeUnavailable) throw error;
      throw new NodeUnavailable(reasonOf(error));
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
