import { signerMethods, signerRestMethods, signerStandardMethods } from '@tetrad/api-signer';
import { refuseWithoutDatabase } from '@tetrad/db';
import { FairTurns, createDispatcher, type DispatcherOptions } from '@tetrad/rpc';
import { callerOf, rpcLimitsOf, type ServiceDefinition, type ServiceEnvironment } from '@tetrad/service';
import type { SignerConfig } from './config.js';
import type { Emulation } from './emulation.js';
import { presentError } from './http/present-error.js';
import { createProxyHandler } from './http/proxy-handler.js';
import { RestRoutes } from './http/rest-routes.js';
import { signerHandlers } from './rpc/eth.js';
import { listHandlers, type ListParts } from './rpc/lists.js';
import { restHandlers, type RestParts } from './rpc/rest.js';
import type { SignerParts } from './rpc/signer-parts.js';

type ProxyParts = SignerParts & RestParts & ListParts & { readonly emulation: Emulation };

/** Answers all that is addressed to the proxy and is not a route of the service's own. */
export function createProxy(
  config: SignerConfig,
  environment: ServiceEnvironment,
  parts: ProxyParts,
): Pick<ServiceDefinition, 'rpc' | 'otherwise'> {
  const { name, logger, metrics } = environment;
  const tracer = environment.tracing?.tracer;
  const limits = rpcLimitsOf(config);
  // Callers of both dispatchers share the turns of one event loop.
  const turns = new FairTurns();
  const common = { service: name, limits, presentError, logger, metrics, tracer, turns };
  const malformed = metrics.counter(
    'http_secp256k1_malformed_request_count_total',
    'Bodies that cannot be read: no JSON-RPC, nothing to sign',
  );
  const onMalformed = () => malformed.increment();
  const handle = createProxyHandler({
    dispatcher: createDispatcher({
      ...common,
      methods: { ...signerMethods, ...signerStandardMethods },
      // Nothing is signed or sent that cannot be written down.
      handlers: refuseWithoutDatabase({ ...signerHandlers(parts), ...listHandlers(parts) }, logger),
      aliases: config.rpcAlias,
    }),
    downstream: parts.downstream,
    limits,
    maxBodyBytes: config.rpcMaxBodyBytes,
    rateLimit: config.rpcRateLimit,
    callerOf,
    rest: parts.emulation.hasRestRoutes ? createRest(common, parts, onMalformed) : undefined,
    forwards: parts.emulation.forwards,
    onMalformed,
    logger,
  });
  return { rpc: { paths: ['/'], handle }, otherwise: handle };
}

/** With a separate dispatcher, so that JSON-RPC does not reach the methods of the REST routes. */
function createRest(
  common: Omit<DispatcherOptions, 'methods' | 'handlers'>,
  parts: RestParts,
  onMalformed: () => void,
): RestRoutes {
  const handlers = refuseWithoutDatabase(restHandlers(parts), common.logger);
  const dispatcher = createDispatcher({ ...common, methods: signerRestMethods, handlers });
  return new RestRoutes({ dispatcher, maxDepth: common.limits.depth, onMalformed });
}
