import {
  RpcCallError,
  RpcTransportError,
  createRpcClient,
  type MethodTable,
  type RpcClient,
} from '@tetrad/rpc';
import { option, secretFileOption, urlOption, type Secret } from '@tetrad/service';
import { OperatorError, firstLine } from '@tetrad/types';

/** A running node that a command asks. */
export interface AskedNode {
  readonly rpcUrl: URL;
  readonly rpcTokenFile: Secret | undefined;
}

/**
 * The options of a command that asks a running node.
 * @param description - which node it is to be
 */
export const askedNodeOptions = (description: string) => ({
  rpcUrl: option(urlOption('http', 'https'), {
    group: 'Node',
    description,
    default: new URL('http://127.0.0.1:22000'),
  }),
  rpcTokenFile: option(secretFileOption(), {
    group: 'Node',
    description: 'File with a token for a node that requires one.',
  }),
});

/**
 * Asks a running node over one connection, which is closed afterwards.
 * @param bounds - of each call, and of its answer
 * @param ask - calls what it needs
 * @throws OperatorError when the node refuses a call or does not answer; as `ask`
 */
export async function askNode<Table extends MethodTable, Result>(
  methods: Table,
  { rpcUrl, rpcTokenFile }: AskedNode,
  bounds: { readonly timeoutMs: number; readonly maxAnswerBytes: number },
  ask: (client: RpcClient<Table>) => Promise<Result>,
): Promise<Result> {
  const token = rpcTokenFile === undefined ? undefined : firstLine(rpcTokenFile.reveal());
  const client = createRpcClient(methods, {
    url: rpcUrl.href,
    ...bounds,
    connections: 1,
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
  });
  try {
    return await ask(client);
  } catch (error) {
    if (error instanceof RpcCallError || error instanceof RpcTransportError)
      throw new OperatorError(`${rpcUrl.href}: ${error.message}`, { cause: error });
    throw error;
  } finally {
    await client.close();
  }
}
