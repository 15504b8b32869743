import { rollupOperatorMethods } from '@tetrad/api-rollup-operator';
import { createRpcClient, type RpcClient } from '@tetrad/rpc';

export type OperatorClient = RpcClient<typeof rollupOperatorMethods>;

/** Of one answer: a page of a thousand records takes less than a megabyte. */
const MAX_ANSWER_BYTES = 4 * 2 ** 20;
const TIMEOUT_MS = 30_000;

/**
 * JSON-RPC with a rollup operator: its sixteen methods with typed values.
 *
 * In: a token for the authorization header, where the operator wants one
 */
export function connectOperator(
  url: string,
  {
    token,
    timeoutMs = TIMEOUT_MS,
  }: { readonly token?: string | undefined; readonly timeoutMs?: number } = {},
): OperatorClient {
  return createRpcClient(rollupOperatorMethods, {
    ...{ url, timeoutMs, maxAnswerBytes: MAX_ANSWER_BYTES },
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
  });
}
