import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { nodeMethods, nodeStandardMethods, restrictedMethods } from '@tetrad/api-node';
import type { MethodTable } from '@tetrad/rpc';

/** A call as it came over HTTP. */
export interface HeardCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Gives the result of a call, or throws the error object of the answer; `hang up` closes the connection without one. */
type Answer = (params: readonly unknown[]) => unknown;

/** A service over HTTP that answers as the examples of the methods do, but for the answers of a test. */
export interface WireDouble {
  readonly url: string;
  readonly heard: HeardCall[];
  readonly answers: Map<string, Answer>;
  stop(): Promise<void>;
}

export const HANG_UP = Symbol('hang up');

/** An error object of JSON-RPC, to be thrown by an answer. */
export class AnsweredError extends Error {
  constructor(readonly error: { readonly code: number; readonly message: string; readonly data?: unknown }) {
    super(error.message);
  }
}

const table: MethodTable = { ...nodeMethods, ...nodeStandardMethods, ...restrictedMethods };

export async function startWireDouble(): Promise<WireDouble> {
  const heard: HeardCall[] = [];
  const answers = new Map<string, Answer>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const call = JSON.parse(Buffer.concat(chunks).toString()) as HeardCall & { id: number };
      const { method, params = [], id } = call;
      heard.push({ method, params });
      const answer = answerOf(answers, method, params);
      if (answer === HANG_UP) return void request.socket.destroy();
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(answer as object) }));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    heard,
    answers,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function answerOf(answers: ReadonlyMap<string, Answer>, method: string, params: readonly unknown[]): unknown {
  const own = answers.get(method);
  const example = table[method]?.examples[0];
  try {
    const result = own === undefined ? example?.result : own(params);
    if (result === HANG_UP) return HANG_UP;
    if (result !== undefined) return { result };
    return { error: { code: -32601, message: `the method ${method} does not exist/is not available` } };
  } catch (error) {
    if (error instanceof AnsweredError) return { error: error.error };
    throw error;
  }
}
