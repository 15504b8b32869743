import { signerMethods, signerRestMethods, signerStandardMethods } from '@tetrad/api-signer';
import { refuseWithoutDatabase } from '@tetrad/db';
import { createDispatcher, type Dispatcher } from '@tetrad/rpc';
import { callerOf, rpcLimitsOf, type ServiceDefinition, type ServiceEnvironment } from '@tetrad/service';
import type { SignerConfig } from './config.js';
import type { Dialect } from './dialect.js';
import { presentError } from './http/present-error.js';
import { createProxyHandler } from './http/proxy-handler.js';
import { RestRoutes } from './http/rest-routes.js';
import { signerHandlers } from './rpc/eth.js';
import { restHandlers, type RestParts } from './rpc/rest.js';
import type { SignerParts } from './rpc/signer-parts.js';

/** Answers all that is addressed to the proxy and is no route of the service's own. */
export function createProxy(
  config: SignerConfig,
  environment: ServiceEnvironment,
  parts: SignerParts & RestParts & { readonly dialect: Dialect },
): Pick<ServiceDefinition, 'rpc' | 'otherwise'> {
  const { logger, metrics } = environment;
  const { rpc, rest } = createDispatchers(config, environment, parts);
  const malformed = metrics.counter(
    'http_secp256k1_malformed_request_count_total',
    'Bodies that cannot be read: no JSON-RPC, nothing to sign',
  );
  const onMalformed = () => malformed.increment();
  const restParts = { dispatcher: rest, maxDepth: config.rpcMaxDepth, onMalformed };
  const handle = createProxyHandler({
    dispatcher: rpc,
    downstream: parts.downstream,
    limits: rpcLimitsOf(config),
    maxBodyBytes: config.rpcMaxBodyBytes,
    rateLimit: config.rpcRateLimit,
    callerOf,
    rest: parts.dialect.hasRestRoutes ? new RestRoutes(restParts) : undefined,
    onMalformed,
    logger,
  });
  return { rpc: { paths: ['/'], handle }, otherwise: handle };
}

/** One for JSON-RPC, and one for what the routes of web3signer do, so that JSON-RPC does not reach that. */
function createDispatchers(
  config: SignerConfig,
  { name, logger, metrics }: ServiceEnvironment,
  parts: SignerParts & RestParts,
): { readonly rpc: Dispatcher; readonly rest: Dispatcher } {
  const common = { service: name, limits: rpcLimitsOf(config), presentError, logger, metrics };
  // Nothing is signed or sent that cannot be written down.
  return {
    rpc: createDispatcher({
      ...common,
      methods: { ...signerMethods, ...signerStandardMethods },
      handlers: refuseWithoutDatabase(signerHandlers(parts), logger),
      aliases: config.rpcAlias,
    }),
    rest: createDispatcher({
      ...common,
      methods: signerRestMethods,
      handlers: refuseWithoutDatabase(restHandlers(parts), logger),
    }),
  };
}
