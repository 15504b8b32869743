import { rollupHolderMethods } from '@tetrad/api-rollup-operator';
import { createRpcClient, type RpcClient } from '@tetrad/rpc';

export type OperatorClient = RpcClient<typeof rollupHolderMethods>;

/** Of one answer: a page of a thousand records takes less than a megabyte. */
const MAX_ANSWER_BYTES = 4 * 2 ** 20;
const TIMEOUT_MS = 30_000;

export interface OperatorConnection {
  /** For the authorization header, where the operator wants one. */
  readonly token?: string | undefined;
  /** In its place, asked for each request: the headers of a token that is renewed. */
  readonly headers?: (() => Readonly<Record<string, string>>) | undefined;
  readonly timeoutMs?: number;
}

/** JSON-RPC with a rollup operator: its methods for holders with typed values. */
export function connectOperator(
  url: string,
  { token, headers, timeoutMs = TIMEOUT_MS }: OperatorConnection = {},
): OperatorClient {
  const shown = headers ?? (token === undefined ? undefined : { authorization: `Bearer ${token}` });
  return createRpcClient(rollupHolderMethods, {
    url,
    timeoutMs,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    ...(shown === undefined ? {} : { headers: shown }),
  });
}
