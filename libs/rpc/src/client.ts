import { z } from 'zod';
import { Agent, request as httpRequest, type Dispatcher as HttpDispatcher } from 'undici';
import type { MethodTable, ParamsOf, ResultOf } from './define-method.js';
import { readJson, writeJson } from './json.js';
import type { RpcErrorObject } from './rpc-error.js';

/** The other side answered with an error. */
export class RpcCallError extends Error {
  override readonly name = 'RpcCallError';
  readonly code: number;
  readonly data: unknown;

  constructor(readonly error: RpcErrorObject) {
    super(error.message);
    this.code = error.code;
    this.data = error.data;
  }
}

/** There was no answer, or none that is JSON-RPC; whether the call was executed is not known. */
export class RpcTransportError extends Error {
  override readonly name = 'RpcTransportError';
}

export interface RpcClientOptions {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** Connections at a time. */
  readonly connections?: number;
}

/** Trailing optional parameters may be left out. */
export type CallParams<Params> = Params extends readonly [...infer Head, infer Last]
  ? undefined extends Last
    ? Params | CallParams<Head>
    : Params
  : Params;

export interface RpcClient<Table extends MethodTable> {
  /** Fails: RpcCallError, RpcTransportError */
  call<Name extends keyof Table & string>(
    name: Name,
    params: CallParams<ParamsOf<Table[Name]>>,
  ): Promise<ResultOf<Table[Name]>>;
  close(): Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 30_000;
/** Answers are trusted to nest deeper than requests may. */
const MAX_DEPTH = 512;

/** A client that speaks exactly the methods of the table, with their typed values. */
export function createRpcClient<Table extends MethodTable>(
  methods: Table,
  options: RpcClientOptions,
): RpcClient<Table> {
  const timeout = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const agent = new Agent({
    connections: options.connections ?? 8,
    headersTimeout: timeout,
    bodyTimeout: timeout,
  });
  let lastId = 0;
  return {
    async call(name, params) {
      const definition = methods[name] as Table[typeof name];
      const wire = definition.params.map(({ schema }, index) => {
        const value = (params as readonly unknown[])[index];
        return value === undefined ? null : z.encode(schema, value as never);
      });
      while (wire.length > 0 && wire.at(-1) === null) wire.pop();
      const body = writeJson({ jsonrpc: '2.0', id: ++lastId, method: name, params: wire });
      const result = await exchange(agent, options, body);
      return z.decode(definition.result, result as never) as ResultOf<Table[typeof name]>;
    },
    close: () => agent.close(),
  };
}

async function exchange(agent: HttpDispatcher, options: RpcClientOptions, body: string): Promise<unknown> {
  let text: Uint8Array;
  let status: number;
  try {
    const response = await httpRequest(options.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...options.headers },
      body,
      dispatcher: agent,
    });
    status = response.statusCode;
    text = new Uint8Array(await response.body.arrayBuffer());
  } catch (error) {
    throw new RpcTransportError(`${options.url}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const answer = parseAnswer(text, status, options.url);
  if (answer.error !== undefined) throw new RpcCallError(answer.error);
  return answer.result;
}

const answerSchema = z.looseObject({
  result: z.unknown().optional(),
  error: z.looseObject({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
});

function parseAnswer(
  body: Uint8Array,
  status: number,
  url: string,
): { result?: unknown; error?: RpcErrorObject } {
  try {
    const { result, error } = answerSchema.parse(readJson(body, MAX_DEPTH));
    return error === undefined ? { result } : { error };
  } catch {
    throw new RpcTransportError(`${url}: HTTP ${status} with a body that is no JSON-RPC answer`);
  }
}
