import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as the fake Ethereum client got it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  /** Names and values as they came, in turns. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
  /** Of a JSON-RPC object; raw transactions of a batch are seen one by one. */
  readonly rpc: RpcObject;
}

interface RpcObject {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: readonly unknown[];
}

/** What it answers: a body for 200, or everything. Nothing at all when it is undefined. */
export type FakeAnswer =
  | string
  | {
      readonly status?: number;
      readonly headers?: Record<string, string | string[]>;
      readonly body: string | Buffer;
    }
  | undefined;

export type FakeBehaviour = (request: SeenRequest, response: ServerResponse) => FakeAnswer;

/** An Ethereum client with scripted answers that records the requests. */
export interface FakeNode {
  readonly port: number;
  /** Requests for callers. */
  readonly seen: SeenRequest[];
  /** What the signer asked by itself, to see what became of its transactions, and how the client is. */
  readonly asked: SeenRequest[];
  /** Replaces what it answers, and forgets what it saw. */
  behave(behaviour: FakeBehaviour): void;
  /** Raw transactions that it got, in order. */
  submitted(): unknown[];
  stop(): Promise<void>;
}

/** The host that a caller addressed goes along with what is asked for him. */
export function isForCaller({ headers }: SeenRequest): boolean {
  return headers['x-forwarded-host'] !== undefined;
}

/** The result under the request's id. */
export function resultOf({ rpc }: SeenRequest, result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: rpc.id, result });
}

export function errorOf({ rpc }: SeenRequest, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: rpc.id, error: { code, message } });
}

export const SOME_HASH = `0x${'5a'.repeat(32)}`;

/** Knows its chain, counts nothing and takes everything. */
export const obliging: FakeBehaviour = (request) => {
  const results: Readonly<Record<string, unknown>> = {
    eth_chainId: '0x9',
    eth_getTransactionCount: '0x1',
    priv_getTransactionCount: '0x1',
    priv_getEeaTransactionCount: '0x1',
    eth_sendRawTransaction: SOME_HASH,
    eea_sendRawTransaction: SOME_HASH,
  };
  const result = results[request.rpc.method ?? ''];
  return result === undefined ? errorOf(request, -32601, 'Method not found') : resultOf(request, result);
};

/** @param port - a free one by default */
export async function startFakeNode(behaviour: FakeBehaviour = obliging, port = 0): Promise<FakeNode> {
  let present = behaviour;
  const [seen, asked]: [SeenRequest[], SeenRequest[]] = [[], []];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const { method = '', url = '', headers, rawHeaders } = request;
      const read = readRpc(body);
      const answers = (isBatchOfSubmissions(read) ? read : [read]).map((rpc) => {
        const one = { method, url, headers, rawHeaders, body, rpc };
        (isForCaller(one) ? seen : asked).push(one);
        return present(one, response);
      });
      send(response, isBatchOfSubmissions(read) ? asBatch(answers) : answers[0]);
    });
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    asked,
    behave(next) {
      present = next;
      [seen.length, asked.length] = [0, 0];
    },
    submitted: () =>
      seen.filter(({ rpc }) => /_sendRaw/.test(rpc.method ?? '')).map(({ rpc }) => rpc.params?.[0]),
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function readRpc(body: string): RpcObject | readonly RpcObject[] {
  try {
    return JSON.parse(body) as RpcObject;
  } catch {
    return {};
  }
}

function isBatchOfSubmissions(read: RpcObject | readonly RpcObject[]): read is readonly RpcObject[] {
  return Array.isArray(read) && read.every(({ method }: RpcObject) => method === 'eth_sendRawTransaction');
}

/** The answers as one batch; an answer that is not JSON-RPC becomes the answer to the whole batch. */
function asBatch(answers: readonly FakeAnswer[]): FakeAnswer {
  const texts = answers.filter((answer) => typeof answer === 'string' && answer.startsWith('{'));
  return texts.length === answers.length
    ? `[${texts.join(',')}]`
    : answers.find((answer) => !texts.includes(answer as string));
}

function send(response: ServerResponse, answer: FakeAnswer): void {
  if (answer === undefined || response.destroyed) return;
  const { status = 200, headers = {}, body } = typeof answer === 'string' ? { body: answer } : answer;
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);
}
