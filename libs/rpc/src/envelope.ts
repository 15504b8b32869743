import { MemberNames } from './member-names.js';
import { FramingError } from './rpc-error.js';

export type RpcId = string | number | bigint | null;

/** A request with a valid JSON-RPC 2.0 envelope. */
export interface RpcRequest {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: readonly unknown[] | Readonly<Record<string, unknown>> | undefined;
  /** Absent on a notification, which gets no response. */
  readonly id?: RpcId | undefined;
}

/** The id to answer with, also when the rest of the envelope is wrong. */
export function idOf(request: unknown): RpcId {
  const id = isObject(request) ? request['id'] : null;
  return isId(id) ? id : null;
}

/** @throws FramingError INVALID_REQUEST naming the member */
export function parseEnvelope(request: unknown): RpcRequest {
  if (!isObject(request)) throw invalid('a request must be an object');
  refuseTwins(request);
  const { jsonrpc, method, params, id } = request;
  if (jsonrpc !== '2.0') throw invalid('jsonrpc must be "2.0"');
  if (typeof method !== 'string' || method === '') throw invalid('method must be a string');
  if (id !== undefined && !isId(id)) throw invalid('id must be a string, a number or null');
  if (params !== undefined && params !== null && !Array.isArray(params) && !isObject(params)) {
    throw invalid('params must be an array or an object');
  }
  return { jsonrpc, method, params: params ?? undefined, id };
}

const MEMBERS = new MemberNames(['jsonrpc', 'method', 'params', 'id']);

/** A proxy in front that matches names in any letter case would have checked another request. */
function refuseTwins(request: Readonly<Record<string, unknown>>): void {
  for (const member of Object.keys(request)) {
    const name = MEMBERS.nameOf(member);
    if (name === undefined || name === member || !Object.hasOwn(request, name)) continue;
    throw invalid(`the member ${JSON.stringify(member)} is ${name} to a reader that folds case`);
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isId(id: unknown): id is RpcId {
  return (
    id === null ||
    typeof id === 'string' ||
    typeof id === 'bigint' ||
    (typeof id === 'number' && Number.isFinite(id))
  );
}

function invalid(detail: string): FramingError {
  return new FramingError('INVALID_REQUEST', `invalid request: ${detail}`);
}
