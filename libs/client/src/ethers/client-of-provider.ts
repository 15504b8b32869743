import type { JsonRpcApiProvider } from 'ethers';
import { createClient, custom, type Client } from 'viem';

/** An error object of JSON-RPC as an error. */
class AnsweredError extends Error {
  readonly code: unknown;
  readonly data: unknown;

  constructor({ code, message, data }: ErrorObject) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

interface ErrorObject {
  readonly code: unknown;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * A client of viem that asks through a provider of ethers, for the actions of this package.
 *
 * @param provider - of a node that has a private transaction manager
 *
 * @example
 * const client = clientOfProvider(provider).extend(privateActions())
 * const { privacyFlag } = await client.getContractPrivacy({ address })
 */
export function clientOfProvider(provider: JsonRpcApiProvider): Client {
  return createClient({
    pollingInterval: provider.pollingInterval,
    transport: custom({
      async request({ method, params }: { readonly method: string; readonly params?: unknown[] }) {
        try {
          return (await provider.send(method, params ?? [])) as unknown;
        } catch (error) {
          throw answeredError(error);
        }
      },
    }),
  });
}

/** What the node answered, which ethers keeps inside of an error of its own; another failure as it is. */
function answeredError(error: unknown): unknown {
  const { error: answered, info } = error as {
    readonly error?: unknown;
    readonly info?: { error?: unknown };
  };
  const found = answered ?? info?.error;
  return isErrorObject(found) ? new AnsweredError(found) : error;
}

function isErrorObject(found: unknown): found is ErrorObject {
  return (
    typeof found === 'object' &&
    found !== null &&
    typeof (found as Partial<ErrorObject>).code === 'number' &&
    typeof (found as Partial<ErrorObject>).message === 'string'
  );
}
