import { Agent, request as httpRequest } from 'undici';
import {
  DEFAULT_TIMEOUT_MS,
  MAX_DEPTH,
  TOKEN_PROBLEM,
  type Exchange,
  type ExchangeOptions,
} from './exchange.js';
import { readJson } from './json.js';
import { RpcTransportError } from './rpc-answer.js';

const DEFAULT_CONNECTIONS = 8;

/** Over connections that are kept. For browsers package.json has bundlers take `web-exchange.ts`. */
export class HttpExchange implements Exchange {
  private readonly agent: Agent;
  private readonly timeoutMs: number;

  constructor(private readonly options: ExchangeOptions) {
    this.agent = new Agent({
      connections: options.connections ?? DEFAULT_CONNECTIONS,
      ...(options.maxAnswerBytes === undefined ? {} : { maxResponseSize: options.maxAnswerBytes }),
    });
    this.timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  }

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
      if (status === 401) {
        await response.body.dump();
        throw new TypeError(TOKEN_PROBLEM);
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
