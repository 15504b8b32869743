import type { DispatcherOptions, RpcAlias } from '@tetrad/rpc';
import { defineOptions, option, type ConfigOf } from './define-options.js';
import type { LogThreshold } from './logger.js';
import {
  booleanOption,
  durationOption,
  integerOption,
  listOption,
  logLevelOption,
  pathOption,
  portOption,
  secretFileOption,
  textOption,
  urlOption,
} from './option-types.js';

const HTTP = 'HTTP';
const OPERATIONS = 'Operations';
const SECURITY = 'Access';
const RPC = 'JSON-RPC';

/**
 * The options that every service has; a service spreads them into its own table.
 *
 * In: httpListenPort, opsListenPort — the service's documented defaults; maxBodyBytes — 10 MB on the node, else 1 MB
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

function httpOptions(httpListenPort: number) {
  return defineOptions({
    httpListenHost: option(textOption('HOST'), {
      group: HTTP,
      description: 'Address to listen on. Off loopback, authentication or --insecure is needed.',
      default: '127.0.0.1',
    }),
    httpListenPort: option(portOption(), {
      group: HTTP,
      description: 'Port to listen on; 0 takes a free one.',
      default: httpListenPort,
    }),
    httpMaxConnections: option(integerOption({ min: 1, max: 1_000_000 }), {
      group: HTTP,
      description: 'Most connections at a time; further ones are closed.',
      default: 10_000,
    }),
    httpHeadersTimeout: option(durationOption({ min: 100 }), {
      group: HTTP,
      description: 'A client must have sent its headers within this time.',
      default: 10_000,
    }),
    httpRequestTimeout: option(durationOption({ min: 100 }), {
      group: HTTP,
      description: 'A client must have sent its whole request within this time.',
      default: 60_000,
    }),
    httpKeepAliveTimeout: option(durationOption({ min: 100 }), {
      group: HTTP,
      description: 'An idle connection is closed after this time.',
      default: 65_000,
    }),
    tlsCertFile: option(pathOption(), { group: HTTP, description: 'Certificate chain (PEM); turns on TLS.' }),
    tlsKeyFile: option(pathOption(), { group: HTTP, description: 'Private key of the certificate (PEM).' }),
    tlsClientCaFile: option(pathOption(), {
      group: HTTP,
      description:
        'Authorities (PEM) one of which must have signed the certificate of every client (mutual TLS).',
    }),
  });
}

function accessOptions() {
  return defineOptions({
    insecure: option(booleanOption(), {
      group: SECURITY,
      description: 'Listen off loopback although callers are not authenticated.',
      default: false,
    }),
    hostAllowlist: option(listOption(textOption('HOST')), {
      group: SECURITY,
      description: 'Host names that requests may be addressed to, against DNS rebinding; * allows any.',
      default: ['localhost'],
    }),
    corsOrigins: option(listOption(textOption('ORIGIN')), {
      group: SECURITY,
      description: 'Origins of web pages that may call; * allows any.',
      default: [] as readonly string[],
    }),
    authJwtKeyFile: option(pathOption(), {
      group: SECURITY,
      description: 'Public key (PEM, certificate or JWKS) of the tokens that callers must send.',
    }),
    authJwtJwksUrl: option(urlOption('https', 'http'), {
      group: SECURITY,
      description: 'Where the keys of the tokens are published (JWKS), instead of --auth-jwt-key-file.',
    }),
    authJwtIssuer: option(textOption(), { group: SECURITY, description: 'Issuer that tokens must name.' }),
    authJwtAudience: option(textOption(), {
      group: SECURITY,
      description: 'Audience that tokens must name.',
    }),
    authJwtPermissionsClaim: option(textOption('CLAIM'), {
      group: SECURITY,
      description: 'Claim that lists the methods a caller may use: names, or prefixes such as eth_*.',
      default: 'permissions',
    }),
  });
}

function rpcOptions(maxBodyBytes: number) {
  return defineOptions({
    rpcMaxBodyBytes: option(integerOption({ min: 1_000, max: 1_000_000_000 }), {
      group: RPC,
      description: 'Largest request.',
      unit: 'bytes',
      default: maxBodyBytes,
    }),
    rpcMaxBatch: option(integerOption({ min: 1, max: 100_000 }), {
      group: RPC,
      description: 'Most calls in a batch.',
      default: 1_000,
    }),
    rpcMaxDepth: option(integerOption({ min: 4, max: 1_000 }), {
      group: RPC,
      description: 'Deepest nesting of a request.',
      default: 32,
    }),
    rpcRequestTimeout: option(durationOption({ min: 100 }), {
      group: RPC,
      description: 'A call that takes longer is given up.',
      default: 30_000,
    }),
    rpcRateLimit: option(integerOption({ min: 0, max: 1_000_000 }), {
      group: RPC,
      description:
        'Calls a second that one client address may make; 0 for no limit, and never one on loopback.',
      default: 0,
    }),
    rpcAlias: option(listOption(aliasOption()), {
      group: RPC,
      description:
        'Other names for namespaces or methods, as clients=ours, for example istanbul=ibft or eth_getQuorumPayload=eth_getChainPayload.',
      default: [] as readonly RpcAlias[],
    }),
  });
}

/** The limits of JSON-RPC calls, for `createDispatcher`. */
export function rpcLimitsOf(config: ConfigOf<ReturnType<typeof rpcOptions>>): DispatcherOptions['limits'] {
  return {
    batch: config.rpcMaxBatch,
    depth: config.rpcMaxDepth,
    requestTimeoutMs: config.rpcRequestTimeout,
  };
}

function operationsOptions(opsListenPort: number) {
  return defineOptions({
    opsListenHost: option(textOption('HOST'), {
      group: OPERATIONS,
      description:
        'Address of /livez, /readyz, /metrics and /version. They tell nothing secret and ask for no token.',
      default: '127.0.0.1',
    }),
    opsListenPort: option(portOption(), {
      group: OPERATIONS,
      description: 'Their port; 0 takes a free one.',
      default: opsListenPort,
    }),
    logLevel: option(logLevelOption(), {
      group: OPERATIONS,
      description: 'Least severe log lines that are written.',
      default: 'info' as LogThreshold,
    }),
    shutdownTimeout: option(durationOption({ min: 100, max: 600_000 }), {
      group: OPERATIONS,
      description:
        'The service closes within this time when it is stopped; running requests may finish meanwhile.',
      default: 10_000,
    }),
  });
}

/** The options of whoever uses a database of a service; a URL with a password in it is not accepted as a flag. */
export const databaseOptions = defineOptions({
  databaseUrl: option(urlOption('postgresql', 'postgres'), {
    group: 'Database',
    description:
      'PostgreSQL database; without it, one is embedded in the data directory. As a flag it may not hold a password.',
    isSecret: (url) => url.password !== '',
  }),
  databasePasswordFile: option(secretFileOption(), {
    group: 'Database',
    description: 'Password of the database user.',
  }),
  databasePoolSize: option(integerOption({ min: 2, max: 500 }), {
    group: 'Database',
    description: 'Most connections to the database.',
    default: 10,
  }),
});

/** The options of the service whose database it is, and whose schema it has. */
export const ownDatabaseOptions = defineOptions({
  ...databaseOptions,
  migrate: option(booleanOption(), {
    group: 'Database',
    description:
      'Deploy missing migrations to an external database at start; an embedded one always gets them.',
    default: false,
  }),
});

/** What the options say of a service's own database, for `openServiceDatabase`. */
export function databaseSettingsOf(
  config: ConfigOf<typeof ownDatabaseOptions> & { readonly dataDir: string },
): DatabaseSettings {
  const { dataDir, migrate, databasePoolSize: poolSize } = config;
  return { url: databaseUrlOf(config), dataDir, migrate, poolSize };
}

export interface DatabaseSettings {
  /** Undefined when one is to be embedded in the folder. */
  readonly url: string | undefined;
  readonly dataDir: string;
  readonly migrate: boolean;
  readonly poolSize: number;
}

/** The connection URL with the password of its file; undefined when a database is to be embedded. */
export function databaseUrlOf(config: ConfigOf<typeof databaseOptions>): string | undefined {
  if (config.databaseUrl === undefined) return undefined;
  const url = new URL(config.databaseUrl);
  if (config.databasePasswordFile !== undefined) {
    url.password = encodeURIComponent(config.databasePasswordFile.reveal());
  }
  return url.href;
}

function aliasOption() {
  return {
    placeholder: 'CLIENTS=OURS',
    toml: 'string' as const,
    format: ({ from, to }: RpcAlias) => `${from}=${to}`,
    parse(text: string): RpcAlias {
      const [, from, to] = /^([A-Za-z]\w*)=([A-Za-z]\w*)$/.exec(text) ?? [];
      if (from === undefined || to === undefined) throw new RangeError('must be of the form theirs=ours');
      return { from, to };
    },
  };
}
