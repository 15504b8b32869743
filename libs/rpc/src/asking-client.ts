import type { RpcClient } from './client.js';
import type { MethodTable } from './define-method.js';
import type { RpcAnswer } from './rpc-answer.js';
import { encodeParams, resultOf } from './typed-call.js';

/** What asks the other side, one call at a time. */
export interface Asking {
  /** The other side, as errors name it. */
  readonly url: string;
  /** @throws RpcTransportError when there is no answer, an error among them */
  ask(method: string, params: readonly unknown[]): Promise<Pick<RpcAnswer, 'result' | 'error'>>;
}

/**
 * A client for the methods of the table through what asks, such as the client of another library.
 *
 * @param methods - the table
 * @param asking - what asks; it is not closed
 * @returns the client, without batches
 */
export function createAskingClient<Table extends MethodTable>(
  methods: Table,
  asking: Asking,
): Pick<RpcClient<Table>, 'call' | 'close'> {
  return {
    async call(name, params) {
      const answer = await asking.ask(name, encodeParams(methods, name, params as readonly unknown[]));
      return resultOf(methods, name, { answer, url: asking.url }) as never;
    },
    close: async () => undefined,
  };
}
