import { Agent, request as httpRequest } from 'undici';
import { readJson } from './json.js';
import { RpcTransportError } from './rpc-answer.js';

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_CONNECTIONS = 8;
/** Answers are trusted to nest deeper than requests may: traces do. */
const MAX_DEPTH = 512;

/** Headers of every request; a function is called for each one. */
export type RequestHeaders = Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>);

/** Posts bodies to one URL over connections that are kept. */
export class HttpExchange {
  private readonly agent: Agent;
  private readonly timeoutMs: number;

  constructor(
    private readonly options: {
      readonly url: string;
      readonly headers?: RequestHeaders;
      readonly timeoutMs?: number;
      readonly connections?: number;
      readonly maxAnswerBytes?: number;
    },
  ) {
    this.agent = new Agent({
      connections: options.connections ?? DEFAULT_CONNECTIONS,
      ...(options.maxAnswerBytes === undefined ? {} : { maxResponseSize: options.maxAnswerBytes }),
    });
    this.timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  }

  /**
   * The JSON that the other side answers.
   * @throws RpcTransportError
   */
  async post(body: string): Promise<unknown> {
    const { url, headers } = this.options;
    let status: number | undefined;
    try {
      const response = await httpRequest(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(typeof headers === 'function' ? headers() : headers),
        },
        body,
        dispatcher: this.agent,
        signal: AbortSignal.timeout(this.timeoutMs),
      });
      status = response.statusCode;
      // In whatever form the body says so.
      if (status === 401) {
        await response.body.dump();
        throw new TypeError('the token is missing or not accepted');
      }
      return readJson(new Uint8Array(await response.body.arrayBuffer()), MAX_DEPTH);
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      throw new RpcTransportError(`${url}: ${status === undefined ? '' : `HTTP ${status}: `}${problem}`);
    }
  }

  close(): Promise<void> {
    return this.agent.close();
  }
}
