import { z } from 'zod';
import type { MethodTable } from './define-method.js';
import { RpcCallError, RpcTransportError, type RpcAnswer } from './rpc-answer.js';

/** The parameters of a call as they go on the wire; trailing ones that are undefined are left out. */
export function encodeParams(methods: MethodTable, name: string, params: readonly unknown[]): unknown[] {
  const definition = methods[name];
  if (definition === undefined) throw new TypeError(`the client knows no method ${name}`);
  const given = params.findLastIndex((value) => value !== undefined) + 1;
  return definition.params.slice(0, given).map(({ schema }, index) => {
    const value = params[index];
    return value === undefined ? null : z.encode(schema, value as never);
  });
}

/**
 * The decoded result of a call.
 * @throws RpcCallError; RpcTransportError when it is not what the definition says
 */
export function resultOf(
  methods: MethodTable,
  name: string,
  { answer, url }: { readonly answer: RpcAnswer; readonly url: string },
): unknown {
  if (answer.error !== undefined) throw new RpcCallError(answer.error);
  const decoded = z.safeDecode((methods[name] as MethodTable[string]).result, answer.result as never);
  if (!decoded.success)
    throw unusable(url, `the result of ${name} is not what it should be: ${decoded.error}`);
  return decoded.data;
}

export function unusable(url: string, problem: string): RpcTransportError {
  return new RpcTransportError(`${url}: ${problem}`);
}
