import { FramingError, MemberNames, isObject, readJson } from '@tetrad/rpc';
import type { ForwardedRequest } from '@tetrad/signer-downstream';

/** A request object as far as the proxy must know it to tell its own methods from the client's. */
export type ReadRequest = Readonly<Record<string, unknown>> & { readonly method: string };

/**
 * Reads a request as the signing proxies do: only `method` and the kind of `id` matter. A forwarded request must mean
 * the same to the client, so members that another parser may take for one of these are refused (docs/adr/0021).
 *
 * Source: docs/spec/signing-proxy.md#routes
 *
 * @throws FramingError PARSE_ERROR; INVALID_REQUEST on a member that is not one of JSON-RPC
 */
export function readRequest(wire: unknown): ReadRequest {
  if (!isObject(wire)) throw malformed('a request must be an object');
  assertMembers(wire);
  const { method, id } = wire;
  if (typeof method !== 'string') throw malformed('method must be a string');
  if (id !== undefined && id !== null && !['string', 'number', 'bigint'].includes(typeof id)) {
    throw malformed('id must be a string, a number or null');
  }
  return { ...wire, method };
}

/**
 * Whether a request is one of JSON-RPC 2.0, whatever its path; batches are not.
 *
 * Source: Consensys/web3signer, core: PassThroughHandler, which forwards nothing else
 *
 * @param maxDepth - deepest nesting of a body
 */
export function isRpcRequest({ method, body }: ForwardedRequest, maxDepth: number): boolean {
  if (method !== 'POST') return false;
  try {
    const { jsonrpc } = readRequest(readJson(body, maxDepth));
    return jsonrpc === '2.0' || jsonrpc === 2;
  } catch (error) {
    if (error instanceof FramingError) return false;
    throw error;
  }
}

/**
 * The request in the form of JSON-RPC 2.0, for methods of the proxy's own: `jsonrpc` is not looked at, and params that
 * are not an array are the first parameter.
 */
export function toRpcRequest({ method, params, id }: ReadRequest): Readonly<Record<string, unknown>> {
  const list = params === undefined || params === null || Array.isArray(params) ? params : [params];
  return { jsonrpc: '2.0', method, params: list, id };
}

const MEMBERS = new MemberNames(['jsonrpc', 'method', 'params', 'id']);

function assertMembers(wire: Readonly<Record<string, unknown>>): void {
  const unknown = Object.keys(wire).find((name) => !MEMBERS.known.has(name));
  if (unknown === undefined) return;
  const alike = MEMBERS.nameOf(unknown);
  const problem = alike === undefined ? 'is not one of JSON-RPC' : `is ${alike} to a reader that folds case`;
  throw new FramingError('INVALID_REQUEST', `the member ${JSON.stringify(unknown.slice(0, 80))} ${problem}`);
}

function malformed(problem: string): FramingError {
  return new FramingError('PARSE_ERROR', problem);
}
