import {
  OptionError,
  TokenFile,
  codecOption,
  defineOptions,
  durationOption,
  fileOptions,
  option,
  secretPathOption,
  readClientTls,
  type ConfigOf,
  type TokenFileOptions,
} from '@tetrad/service';
import type { ManagerClientOptions } from '@tetrad/transaction-manager-client';
import { systemClock } from '@tetrad/types';
import { z } from 'zod';
import { isWebOrigin } from './web-origin.js';

const PRIVACY = 'Private transactions';

/** The URL of a manager as its client takes it; a bare absolute path is a socket file. */
const managerUrl = z.codec(
  z.string().refine((text) => text.startsWith('/') || isSocket(text) || isWebOrigin(text)),
  z.string(),
  { decode: (text) => (text.startsWith('/') ? `unix:${text}` : text), encode: (url) => url },
);

function isSocket(text: string): boolean {
  return text.startsWith('unix:/');
}

/** Options with the names of GoQuorum's flags where their values mean the same. */
export const managerOptions = defineOptions({
  ptmUrl: option(
    codecOption(managerUrl, {
      placeholder: 'URL',
      rule: 'must be http://HOST:PORT, https://HOST:PORT, unix:/FILE or the absolute path of a socket file',
    }),
    {
      group: PRIVACY,
      description:
        'URL of the private transaction manager (Tetrad or Tessera). Without it the node has no private state and is not a party to any private transaction.',
      aliases: ['ptm.url', 'ptm.socket'],
    },
  ),
  ptmTimeout: option(durationOption({ min: 100, max: 600_000 }), {
    group: PRIVACY,
    description: 'Time limit for an answer of the manager; it is retried later.',
    default: 5_000,
  }),
  ptmConnectTimeout: option(durationOption({ min: 10, max: 600_000 }), {
    group: PRIVACY,
    description: 'Time limit for connecting to the manager.',
    default: 1_000,
  }),
  ...fileOptions('ptmTls', PRIVACY, {
    CaFile: {
      description:
        'Authorities (PEM) that sign the certificate of the manager; those of the system without it.',
      aliases: ['ptm.tls.rootca'],
    },
    CertFile: {
      description: 'Client certificate (PEM) for the manager.',
      aliases: ['ptm.tls.clientcert'],
    },
    KeyFile: { description: 'Private key of that certificate (PEM).', aliases: ['ptm.tls.clientkey'] },
  }),
  ptmTokenFile: option(secretPathOption(), {
    group: PRIVACY,
    description:
      'File with a bearer token for the manager, where it authenticates callers (--auth-jwt-…); read again when it changes.',
  }),
  privateStateWait: option(durationOption({ min: 0, max: 600_000 }), {
    group: PRIVACY,
    description: 'Time that reads of a block wait for private state to execute it.',
    default: 5_000,
  }),
});

export type ManagerConfig = ConfigOf<typeof managerOptions>;

/**
 * Connection settings of the manager; undefined without one.
 * @throws OptionError, StartupError
 */
export function managerSettings(
  config: ManagerConfig,
  logger: TokenFileOptions['logger'],
): ManagerClientOptions | undefined {
  const { ptmUrl, ptmTlsCaFile, ptmTlsCertFile, ptmTlsKeyFile, ptmTokenFile } = config;
  const hasTls = [ptmTlsCaFile, ptmTlsCertFile, ptmTlsKeyFile].some((file) => file !== undefined);
  if (hasTls && ptmUrl?.startsWith('https:') !== true) {
    throw new OptionError('--ptm-url', 'must start with https:// with the options --ptm-tls-…');
  }
  if (ptmUrl === undefined) {
    if (ptmTokenFile === undefined) return undefined;
    throw new OptionError('--ptm-token-file', 'is of no use without --ptm-url');
  }
  const token =
    ptmTokenFile === undefined
      ? undefined
      : new TokenFile({ path: ptmTokenFile, flag: '--ptm-token-file', logger, clock: systemClock });
  return {
    url: ptmUrl,
    tls: readClientTls(config, 'ptmTls'),
    headers: token && (() => token.headers()),
    connectTimeoutMs: config.ptmConnectTimeout,
    timeoutMs: config.ptmTimeout,
  };
}
