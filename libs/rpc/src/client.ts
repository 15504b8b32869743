import type { MethodTable, ParamsOf, ResultOf } from './define-method.js';
import type { RequestHeaders } from './exchange.js';
import { HttpExchange } from './http-exchange.js';
import { writeJson } from './json-text.js';
import { RpcCallError, parseAnswer, type RpcAnswer } from './rpc-answer.js';
import { encodeParams, resultOf, unusable } from './typed-call.js';

export interface RpcClientOptions {
  readonly url: string;
  readonly headers?: RequestHeaders;
  /** Time limit from sending the request to the last byte of the answer. */
  readonly timeoutMs?: number;
  /** Connections at a time. */
  readonly connections?: number;
  /** Bytes of one answer; a longer one fails as if there were none. No bound by default. */
  readonly maxAnswerBytes?: number;
}

/** Trailing optional parameters may be left out. */
export type CallParams<Params> = Params extends readonly [...infer Head, infer Last]
  ? undefined extends Last
    ? Params | CallParams<Head>
    : Params
  : Params;

/** One call of a batch: the method's name and its parameters. */
export type BatchCall<Table extends MethodTable> = {
  [Name in keyof Table & string]: readonly [name: Name, params: CallParams<ParamsOf<Table[Name]>>];
}[keyof Table & string];

/** For each call of a batch its result, or the error that this one call got. */
export type BatchResults<Table extends MethodTable, Calls extends readonly BatchCall<Table>[]> = {
  -readonly [Index in keyof Calls]: ResultOf<Table[Calls[Index][0]]> | RpcCallError;
};

export interface RpcClient<Table extends MethodTable> {
  /** @throws RpcCallError, RpcTransportError */
  call<Name extends keyof Table & string>(
    name: Name,
    params: CallParams<ParamsOf<Table[Name]>>,
  ): Promise<ResultOf<Table[Name]>>;
  /**
   * Sends all calls in one request.
   * @throws RpcTransportError; RpcCallError when the batch as a whole is refused
   */
  batch<const Calls extends readonly BatchCall<Table>[]>(calls: Calls): Promise<BatchResults<Table, Calls>>;
  close(): Promise<void>;
}

/** A client for exactly the methods of the table, with their typed values. */
export function createRpcClient<Table extends MethodTable>(
  methods: Table,
  options: RpcClientOptions,
): RpcClient<Table> {
  const http = new HttpExchange(options);
  let lastId = 0;
  const requestOf = (name: string, params: readonly unknown[]) => ({
    jsonrpc: '2.0',
    id: ++lastId,
    method: name,
    params: encodeParams(methods, name, params),
  });
  return {
    async call(name, params) {
      const request = requestOf(name, params as readonly unknown[]);
      const answer = parseAnswer(await http.post(writeJson(request)), options.url);
      // An error may lack the id when the body could not be read.
      if (answer.error === undefined && answer.id !== request.id)
        throw unusable(options.url, 'it answers another call');
      return resultOf(methods, name, { answer, url: options.url }) as ResultOf<Table[typeof name]>;
    },
    async batch(calls) {
      if (calls.length === 0) return [] as never;
      const requests = calls.map(([name, params]) => requestOf(name, params as readonly unknown[]));
      const answers = answersById(await http.post(writeJson(requests)), options.url);
      const results = requests.map(({ id, method }) => {
        const answer = answers.get(id);
        if (answer === undefined) throw unusable(options.url, `no answer to call ${id} (${method})`);
        return answer.error === undefined
          ? resultOf(methods, method, { answer, url: options.url })
          : new RpcCallError(answer.error);
      });
      return results as never;
    },
    close: () => http.close(),
  };
}

/** A batch that is refused as a whole gets a single error. */
function answersById(body: unknown, url: string): Map<unknown, RpcAnswer> {
  if (!Array.isArray(body)) {
    const { error } = parseAnswer(body, url);
    throw error === undefined ? unusable(url, 'one answer to a batch') : new RpcCallError(error);
  }
  return new Map(body.map((one: unknown) => parseAnswer(one, url)).map((answer) => [answer.id, answer]));
}
