import type { Client } from 'viem';
import { asRequestError } from '../errors/request-error.js';
import type { Methods, ParametersOf, ResultOf } from './method-types.js';

/** Asks, and repeats as the transport is configured to: for methods that change nothing. */
export function callMethod<Method extends keyof Methods>(
  client: Client,
  method: Method,
  ...params: ParametersOf<Method>
): Promise<ResultOf<Method>> {
  return request(client, method, params, undefined);
}

/** Asks once: a send whose answer was lost may have been done. */
export function callOnce<Method extends keyof Methods>(
  client: Client,
  method: Method,
  ...params: ParametersOf<Method>
): Promise<ResultOf<Method>> {
  return request(client, method, params, { retryCount: 0 });
}

async function request<Method extends keyof Methods>(
  client: Client,
  method: Method,
  params: ParametersOf<Method>,
  options: { readonly retryCount: number } | undefined,
): Promise<ResultOf<Method>> {
  // Methods of viem's own schema only are known to the type of `request`.
  const send = client.request as unknown as (
    call: { readonly method: string; readonly params: readonly unknown[] },
    options?: { readonly retryCount: number },
  ) => Promise<ResultOf<Method>>;
  try {
    return await send({ method, params: withoutAbsent(params) }, options);
  } catch (error) {
    throw asRequestError(error, method);
  }
}

/** Optional parameters at the end that are not given. */
function withoutAbsent(params: readonly unknown[]): readonly unknown[] {
  const given = params.findLastIndex((value) => value !== undefined);
  return params.slice(0, given + 1);
}
