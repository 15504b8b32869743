import { signerMethods, signerRestMethods, signerStandardMethods } from '@tetrad/api-signer';
import { refuseWithoutDatabase } from '@tetrad/db';
import { createDispatcher } from '@tetrad/rpc';
import { callerOf, type RequestHandler, type ServiceEnvironment } from '@tetrad/service';
import type { SignerConfig } from './config.js';
import { presentError } from './http/present-error.js';
import { createProxyHandler } from './http/proxy-handler.js';
import { RestRoutes } from './http/rest-routes.js';
import { signerHandlers } from './rpc/eth.js';
import { restHandlers, type RestParts } from './rpc/rest.js';
import type { SignerParts } from './rpc/signer-parts.js';

/** Answers all that is addressed to the proxy and is no route of the service's own. */
export function createProxy(
  config: SignerConfig,
  { name, logger, metrics }: ServiceEnvironment,
  parts: SignerParts & RestParts,
): RequestHandler {
  const limits = { batch: config.rpcMaxBatch, depth: config.rpcMaxDepth };
  const common = {
    service: name,
    limits: { ...limits, requestTimeoutMs: config.rpcRequestTimeout },
    presentError,
    logger,
    metrics,
  };
  const dispatcher = createDispatcher({
    ...common,
    methods: { ...signerMethods, ...signerStandardMethods },
    // Nothing is signed or sent that cannot be written down.
    handlers: refuseWithoutDatabase(signerHandlers(parts), logger),
    aliases: config.rpcAlias,
  });
  // Of its own, so that JSON-RPC does not reach them.
  const restDispatcher = createDispatcher({
    ...common,
    methods: signerRestMethods,
    handlers: refuseWithoutDatabase(restHandlers(parts), logger),
  });
  const malformed = metrics.counter(
    'http_secp256k1_malformed_request_count_total',
    'Bodies that cannot be read: no JSON-RPC, nothing to sign',
  );
  const onMalformed = () => malformed.increment();
  return createProxyHandler({
    dispatcher,
    downstream: parts.downstream,
    limits,
    maxBodyBytes: config.rpcMaxBodyBytes,
    rateLimit: config.rpcRateLimit,
    callerOf,
    rest: new RestRoutes({ dispatcher: restDispatcher, maxDepth: limits.depth, onMalformed }),
    onMalformed,
    logger,
  });
}
