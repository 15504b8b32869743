import {
  DEFAULT_TIMEOUT_MS,
  MAX_DEPTH,
  TOKEN_PROBLEM,
  type Exchange,
  type ExchangeOptions,
} from './exchange.js';
import { readJsonText } from './json-text.js';
import { RpcTransportError } from './rpc-answer.js';

/** By `fetch`, as browsers have it; they keep connections by rules of their own. */
export class HttpExchange implements Exchange {
  constructor(private readonly options: ExchangeOptions) {}

  async post(body: string): Promise<unknown> {
    const { url, headers, timeoutMs = DEFAULT_TIMEOUT_MS, maxAnswerBytes } = this.options;
    let status: number | undefined;
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(typeof headers === 'function' ? headers() : headers),
        },
        body,
        signal: AbortSignal.timeout(timeoutMs),
      });
      status = response.status;
      if (status === 401) {
        await response.body?.cancel();
        throw new TypeError(TOKEN_PROBLEM);
      }
      return readJsonText(await textOf(response, maxAnswerBytes), MAX_DEPTH);
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      throw new RpcTransportError(`${url}: ${status === undefined ? '' : `HTTP ${status}: `}${problem}`);
    }
  }

  async close(): Promise<void> {
    // The browser closes connections itself.
  }
}

/** @throws TypeError for what is longer, and not read to its end, or is not UTF-8 */
async function textOf({ body }: Response, most = Number.POSITIVE_INFINITY): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const reader = body?.getReader();
  let text = '';
  let size = 0;
  for (;;) {
    const piece = await reader?.read();
    if (piece === undefined || piece.done) return text + decoder.decode();
    const bytes = piece.value as Uint8Array;
    size += bytes.length;
    if (size > most) {
      await reader?.cancel();
      throw new TypeError(`the answer has more than ${most} bytes`);
    }
    text += decoder.decode(bytes, { stream: true });
  }
}
