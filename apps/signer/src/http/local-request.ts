import { FramingError, isObject, readJson } from '@tetrad/rpc';
import type { RelayedRequest } from '@tetrad/signer-downstream';

/** A request object as far as the proxy must know it to tell its own methods from the client's. */
export type ReadRequest = Readonly<Record<string, unknown>> & { readonly method: string };

/**
 * Reads a request as the signing proxies do: only `method` and the kind of `id` matter.
 *
 * Fails:  FramingError PARSE_ERROR
 * Source: signing-proxy.md, section 2
 */
export function readRequest(wire: unknown): ReadRequest {
  if (!isObject(wire)) throw malformed('a request must be an object');
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
 * In:     maxDepth — deepest nesting of a body
 * Source: Consensys/web3signer, core: PassThroughHandler, which hands on nothing else
 */
export function isRpcRequest({ method, body }: RelayedRequest, maxDepth: number): boolean {
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
 * are no array are the first parameter.
 */
export function toRpcRequest({ method, params, id }: ReadRequest): Readonly<Record<string, unknown>> {
  const list = params === undefined || params === null || Array.isArray(params) ? params : [params];
  return { jsonrpc: '2.0', method, params: list, id };
}

function malformed(problem: string): FramingError {
  return new FramingError('PARSE_ERROR', problem);
}
