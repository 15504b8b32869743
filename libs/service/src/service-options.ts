import { DEFAULT_ANSWER_BYTES, type DispatcherLimits, type RpcAlias } from '@tetrad/rpc';
import { z } from 'zod';
import { defineOptions, option, type ConfigOf } from './define-options.js';
import { fileOptions } from './file-options.js';
import { listenOptions } from './listen-options.js';
import type { LogThreshold } from './logger.js';
import {
  booleanOption,
  codecOption,
  durationOption,
  integerOption,
  listOption,
  logLevelOption,
  pathOption,
  textOption,
  urlOption,
} from './option-types.js';
import { tracingOptions } from './tracing/tracing-options.js';

const HTTP = 'HTTP';
const OPERATIONS = 'Operations';
const SECURITY = 'Access';
const RPC = 'JSON-RPC';

/**
 * The options that every service has; a service spreads them into its own table.
 * @param defaults.httpListenPort - the service's documented defaults
 * @param defaults.opsListenPort - the service's documented defaults
 * @param defaults.maxBodyBytes - 10 MB on the node, else 1 MB
 */
export function serviceOptions(defaults: {
  readonly httpListenPort: number;
  readonly opsListenPort: number;
  readonly maxBodyBytes?: number;
}) {
  return defineOptions({
    ...httpOptions(defaults.httpListenPort),
    ...accessOptions(),
    ...rpcOptions(defaults.maxBodyBytes ?? 1_000_000),
    ...operationsOptions(defaults.opsListenPort),
  });
}

/** The options of a service without JSON-RPC. */
export function plainServiceOptions(defaults: {
  readonly httpListenPort: number;
  readonly opsListenPort: number;
}) {
  return defineOptions({
    ...httpOptions(defaults.httpListenPort),
    ...accessOptions(),
    ...operationsOptions(defaults.opsListenPort),
  });
}

function httpOptions(httpListenPort: number) {
  return defineOptions({
    ...listenOptions('http', HTTP, {
      host: 'Address to listen on. Other than loopback requires authentication or --insecure.',
      port: 'Port to listen on; 0 chooses a free one.',
      defaultPort: httpListenPort,
    }),
    httpMaxConnections: option(integerOption({ min: 1, max: 1_000_000 }), {
      group: HTTP,
      description: 'Maximum number of connections; further ones are closed.',
      default: 10_000,
    }),
    httpHeadersTimeout: option(durationOption({ min: 100 }), {
      group: HTTP,
      description: 'Time limit for a client to send the headers of a request.',
      default: 10_000,
    }),
    httpRequestTimeout: option(durationOption({ min: 100 }), {
      group: HTTP,
      description: 'Time limit for a client to send a whole request.',
      default: 60_000,
    }),
    httpKeepAliveTimeout: option(durationOption({ min: 100 }), {
      group: HTTP,
      description: 'Time after which an idle connection is closed.',
      default: 65_000,
    }),
    ...fileOptions('tls', HTTP, {
      CertFile: 'Certificate chain (PEM); turns on TLS.',
      KeyFile: 'Private key of the certificate (PEM).',
      ClientCaFile: 'Certificate authorities (PEM) for client certificates; turns on mutual TLS.',
    }),
  });
}

function accessOptions() {
  return defineOptions({
    insecure: option(booleanOption(), {
      group: SECURITY,
      description: 'Allow listening on other addresses than loopback without authentication.',
      default: false,
    }),
    hostAllowlist: option(listOption(textOption('HOST')), {
      group: SECURITY,
      description: 'Allowed Host headers, against DNS rebinding; * allows any.',
      default: ['localhost'],
    }),
    corsOrigins: option(listOption(textOption('ORIGIN')), {
      group: SECURITY,
      description:
        'Allowed origins of web pages and browser extensions (CORS); * allows any. Calls from other origins are rejected.',
      default: [] as readonly string[],
    }),
    authJwtKeyFile: option(pathOption(), {
      group: SECURITY,
      description:
        'Public key (PEM, certificate or JWKS) that verifies the tokens of callers; turns on authentication.',
    }),
    authJwtJwksUrl: option(urlOption('https', 'http'), {
      group: SECURITY,
      description: 'JWKS URL of the keys that verify tokens, instead of --auth-jwt-key-file.',
    }),
    authJwtIssuer: option(textOption(), { group: SECURITY, description: 'Required issuer of tokens.' }),
    authJwtAudience: option(textOption(), {
      group: SECURITY,
      description: 'Required audience of tokens.',
    }),
    authJwtPermissionsClaim: option(textOption('CLAIM'), {
      group: SECURITY,
      description: 'Claim that lists the methods a caller may use, as names or as prefixes such as eth_*.',
      default: 'permissions',
    }),
  });
}

function rpcOptions(maxBodyBytes: number) {
  return defineOptions({
    rpcMaxBodyBytes: option(integerOption({ min: 1_000, max: 1_000_000_000 }), {
      group: RPC,
      description: 'Maximum size of a request.',
      unit: 'bytes',
      default: maxBodyBytes,
    }),
    rpcMaxBatch: option(integerOption({ min: 1, max: 100_000 }), {
      group: RPC,
      description: 'Maximum number of calls in a batch.',
      default: 1_000,
    }),
    rpcMaxAnswerBytes: option(integerOption({ min: 1_000, max: 400_000_000 }), {
      group: RPC,
      description: 'Maximum size of the response to a call; a larger one is an error.',
      unit: 'bytes',
      default: DEFAULT_ANSWER_BYTES,
    }),
    rpcMaxBatchAnswerBytes: option(integerOption({ min: 1_000, max: 400_000_000 }), {
      group: RPC,
      description: 'Maximum total size of the responses to a batch; further calls are errors.',
      unit: 'bytes',
      default: DEFAULT_ANSWER_BYTES,
    }),
    rpcMaxDepth: option(integerOption({ min: 4, max: 1_000 }), {
      group: RPC,
      description: 'Maximum nesting depth of a request.',
      default: 32,
    }),
    rpcRequestTimeout: option(durationOption({ min: 100 }), {
      group: RPC,
      description: 'Time limit of a call.',
      default: 30_000,
    }),
    rpcRateLimit: option(integerOption({ min: 0, max: 1_000_000 }), {
      group: RPC,
      description:
        'Rate limit in calls per second per client address, calls of a batch counted one by one; 0 for no limit. Loopback is never limited.',
      default: 0,
    }),
    rpcAlias: option(listOption(aliasOption()), {
      group: RPC,
      description:
        'Aliases of namespaces or methods, as ALIAS=NAME, for example istanbul=ibft or eth_getQuorumPayload=eth_getChainPayload.',
      default: [] as readonly RpcAlias[],
    }),
  });
}

/** The limits of JSON-RPC calls, for `createDispatcher`. */
export function rpcLimitsOf(config: ConfigOf<ReturnType<typeof rpcOptions>>): Required<DispatcherLimits> {
  return {
    batch: config.rpcMaxBatch,
    depth: config.rpcMaxDepth,
    requestTimeoutMs: config.rpcRequestTimeout,
    answerBytes: config.rpcMaxAnswerBytes,
    batchAnswerBytes: config.rpcMaxBatchAnswerBytes,
  };
}

function operationsOptions(opsListenPort: number) {
  return defineOptions({
    ...listenOptions('ops', OPERATIONS, {
      host: 'Address of /livez, /readyz, /metrics and /version, which reveal no secrets and require no token.',
      port: 'Port of /livez, /readyz, /metrics and /version; 0 chooses a free one.',
      defaultPort: opsListenPort,
    }),
    logLevel: option(logLevelOption(), {
      group: OPERATIONS,
      description: 'Log level.',
      default: 'info' as LogThreshold,
    }),
    shutdownTimeout: option(durationOption({ min: 100, max: 600_000 }), {
      group: OPERATIONS,
      description: 'Time limit of a graceful shutdown, in which running requests may finish.',
      default: 10_000,
    }),
    ...tracingOptions,
  });
}

function aliasOption() {
  const codec = z.codec(z.string().regex(/^[A-Za-z]\w*=[A-Za-z]\w*$/), z.custom<RpcAlias>(), {
    decode: (text) => {
      const [from = '', to = ''] = text.split('=');
      return { from, to };
    },
    encode: ({ from, to }) => `${from}=${to}`,
  });
  return codecOption<RpcAlias>(codec, {
    placeholder: 'CLIENTS=OURS',
    rule: 'must be of the form theirs=ours',
  });
}

/** Values of the options that every service has. */
export type ServiceConfig = ConfigOf<ReturnType<typeof plainServiceOptions>>;
