import {
  createRpcHttpHandler,
  createRpcWebSocket,
  refuseUpgrade,
  type Dispatcher,
  type RpcWebSocket,
} from '@tetrad/rpc';
import { callerOf, type ServiceDefinition } from '@tetrad/service';
import type { Logger } from '@tetrad/types';
import type { WalletConfig } from '../config.js';

/**
 * Where the methods are: the path of the interface document, and those of a Lotus node, which dials a remote wallet at
 * `/rpc/v0`, over a WebSocket when it is given as a multiaddress.
 */
const RPC_PATHS = ['/rpc/v1/coin', '/rpc/v0', '/rpc/v1'];

export interface Transports {
  readonly rpc: NonNullable<ServiceDefinition['rpc']>;
  readonly webSocket: RpcWebSocket;
}

/**
 * Serves the methods over HTTP and over WebSockets, at the same paths and under the same limits.
 *
 * @param config limits of requests
 * @param parts what answers the calls, and the log of slow clients
 */
export function openTransports(
  { rpcMaxBodyBytes, rpcRateLimit }: Pick<WalletConfig, 'rpcMaxBodyBytes' | 'rpcRateLimit'>,
  { dispatcher, logger }: { readonly dispatcher: Dispatcher; readonly logger: Logger },
): Transports {
  const shared = { dispatcher, maxBodyBytes: rpcMaxBodyBytes, rateLimit: rpcRateLimit, callerOf };
  const webSocket = createRpcWebSocket({ ...shared, logger });
  return {
    rpc: { paths: RPC_PATHS, handle: createRpcHttpHandler(shared) },
    webSocket: {
      handleUpgrade(request, socket, head) {
        const [path = '/'] = (request.url ?? '/').split('?', 1);
        if (RPC_PATHS.includes(path)) webSocket.handleUpgrade(request, socket, head);
        else refuseUpgrade(socket, '404 Not Found');
      },
      close: () => webSocket.close(),
    },
  };
}
