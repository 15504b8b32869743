import { refuseWithoutDatabase } from '@tetrad/db';
import { createDispatcher, createRpcHttpHandler, createRpcWebSocket } from '@tetrad/rpc';
import {
  callerOf,
  rpcLimitsOf,
  startService,
  type ReadinessChecks,
  type RunningService,
  type ServiceEnvironment,
} from '@tetrad/service';
import type { NodeConfig } from './options/config.js';
import { methods, nodeHandlers } from './handlers.js';
import type { NodeParts } from './rpc/node-parts.js';

/** Opens the ports for clients and operators. */
export function serve(
  config: NodeConfig,
  environment: ServiceEnvironment,
  node: {
    readonly parts: NodeParts;
    readonly readiness: ReadinessChecks;
    readonly close: () => Promise<void>;
  },
): Promise<RunningService> {
  const { logger, metrics } = environment;
  const dispatcher = createDispatcher({
    service: environment.name,
    methods,
    handlers: refuseWithoutDatabase(nodeHandlers(node.parts), logger),
    exposed: config.httpApi,
    limits: rpcLimitsOf(config),
    aliases: config.rpcAlias,
    logger,
    metrics,
    tracer: environment.tracing?.tracer,
  });
  const transport = { dispatcher, maxBodyBytes: config.rpcMaxBodyBytes, callerOf };
  const webSocket = createRpcWebSocket({ ...transport, logger, rateLimit: config.rpcRateLimit });
  return startService({
    ...environment,
    config,
    rpc: { paths: ['/'], handle: createRpcHttpHandler({ ...transport, rateLimit: config.rpcRateLimit }) },
    webSocket: (request, socket, head) => webSocket.handleUpgrade(request, socket, head),
    readiness: node.readiness,
    onDrain: () => webSocket.close(),
    onStop: node.close,
  });
}
