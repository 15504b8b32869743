import { RelayedError, readJson, writeJson, type RpcRequest } from '@tetrad/rpc';
import { RefusalError, hexFromBytes, parseHash, type Address, type Hash } from '@tetrad/types';
import { Pool } from 'undici';
import { z } from 'zod';

export interface DownstreamOptions {
  /** Base URL of the Ethereum client. */
  readonly url: URL;
  /** Bounds each request by itself. */
  readonly timeoutMs: number;
  /** Connections at a time. */
  readonly connections?: number;
}

const answerSchema = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.unknown().optional(),
  error: z.looseObject({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
  result: z.unknown().optional(),
});
const quantity = z.string().regex(/^0x[0-9a-fA-F]{1,64}$/);

/** Answers may nest deeper than requests: traces do. */
const MAX_DEPTH = 1_024;

/** The Ethereum client that the proxy submits to and passes requests through to. */
export class DownstreamClient {
  private readonly pool: Pool;
  private lastId = 0;

  constructor(private readonly options: DownstreamOptions) {
    this.pool = new Pool(options.url.origin, {
      connections: options.connections ?? 64,
      headersTimeout: options.timeoutMs,
      bodyTimeout: options.timeoutMs,
      connect: { timeout: options.timeoutMs },
    });
  }

  /** Nonce of the account's next transaction, pending ones counted. Fails: as `call`. */
  async pendingNonce(account: Address): Promise<bigint> {
    return BigInt(quantity.parse(await this.call('eth_getTransactionCount', [account, 'pending'])));
  }

  /** Submits a signed transaction. Fails: as `call`. */
  async submit(raw: Uint8Array): Promise<Hash> {
    return parseHash(z.string().parse(await this.call('eth_sendRawTransaction', [hexFromBytes(raw)])));
  }

  async chainId(): Promise<bigint> {
    return BigInt(quantity.parse(await this.call('eth_chainId', [])));
  }

  /** Fails: RelayedError with the client's error as it came; RefusalError when there is no usable answer. */
  async call(method: string, params: readonly unknown[]): Promise<unknown> {
    const answer = await this.exchange({ jsonrpc: '2.0', id: ++this.lastId, method, params });
    const { error, result } = answerSchema.parse(answer);
    if (error !== undefined) throw new RelayedError(error);
    return result;
  }

  /** The client's answer to the request, unchanged; undefined when it has none, as for a notification. */
  passThrough(request: RpcRequest): Promise<unknown> {
    return this.exchange(request);
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private async exchange(request: object): Promise<unknown> {
    let body: Uint8Array;
    try {
      const response = await this.pool.request({
        method: 'POST',
        path: `${this.options.url.pathname}${this.options.url.search}`,
        headers: { 'content-type': 'application/json' },
        body: writeJson(request),
      });
      body = new Uint8Array(await response.body.arrayBuffer());
    } catch (error) {
      throw unavailable(error);
    }
    if (body.length === 0) return undefined;
    const answer = readAnswer(body);
    if (!answerSchema.safeParse(answer).success) throw unusable();
    return answer;
  }
}

function readAnswer(body: Uint8Array): unknown {
  try {
    return readJson(body, MAX_DEPTH);
  } catch {
    throw unusable();
  }
}

function unusable(): RefusalError {
  return new RefusalError(
    'FAILED_TO_CONNECT_TO_DOWNSTREAM_NODE',
    'Failed to connect to downstream node: its answer is not JSON-RPC',
  );
}

const TIMEOUT_CODES = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT']);

/** Texts of EthSigner (signing-proxy.md, section 3). */
function unavailable(error: unknown): RefusalError {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && TIMEOUT_CODES.has(code)
    ? new RefusalError('CONNECTION_TO_DOWNSTREAM_NODE_TIMED_OUT', 'Connection to downstream node timed out')
    : new RefusalError('FAILED_TO_CONNECT_TO_DOWNSTREAM_NODE', 'Failed to connect to downstream node');
}
