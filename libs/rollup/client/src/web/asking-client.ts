import { RpcTransportError, type Asking } from '@tetrad/rpc';
import type { ChainClient } from './chain-client.js';

type Request = (request: {
  readonly method: string;
  readonly params: readonly unknown[];
}) => Promise<unknown>;

/** Errors within errors, at most. */
const MAX_CAUSES = 8;

/**
 * Asks through a client of the chain.
 *
 * @param client - it decides where, and how often it tries
 * @returns what asks
 */
export function askingOf(client: ChainClient): Asking {
  return {
    url: 'the client of the chain',
    async ask(method, params) {
      try {
        return { result: await (client.request as Request)({ method, params }) };
      } catch (error) {
        const refusal = refusalIn(error);
        if (refusal !== undefined) return { error: refusal };
        throw new RpcTransportError(error instanceof Error ? error.message : String(error), { cause: error });
      }
    },
  };
}

interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The innermost error with the number of a JSON-RPC error: viem wraps what the node says. */
function refusalIn(error: unknown): Refusal | undefined {
  let found: Refusal | undefined;
  for (let [one, depth] = [error, 0]; one instanceof Object && depth < MAX_CAUSES; depth += 1) {
    const { code, details, message, data, cause } = one as Partial<Refusal> &
      ErrorOptions & { details?: unknown };
    if (typeof code === 'number')
      found = { code, message: typeof details === 'string' ? details : String(message), data };
    one = cause;
  }
  return found;
}
