import { createSecureContext } from 'node:tls';
import type { ServerOptions } from 'node:https';
import { readCertificatePair } from './certificate-pair.js';
import { readTextFile } from './option-types.js';
import { OptionError, StartupError, reasonOf } from './startup-error.js';

export interface TlsConfig {
  readonly tlsCertFile: string | undefined;
  readonly tlsKeyFile: string | undefined;
  readonly tlsClientCaFile: string | undefined;
}

/**
 * What the HTTPS server needs; undefined when TLS is off. With a client authority, a client without a certificate
 * of it does not get past the handshake.
 *
 * Fails: OptionError when a part is missing; StartupError when the files are unreadable or do not fit together
 */
export function tlsServerOptions(config: TlsConfig): ServerOptions | undefined {
  const { tlsCertFile, tlsKeyFile, tlsClientCaFile } = config;
  const pair = readCertificatePair('--tls', tlsCertFile, tlsKeyFile);
  if (pair === undefined) {
    if (tlsClientCaFile === undefined) return undefined;
    throw new OptionError('--tls-client-ca-file', 'requires --tls-cert-file and --tls-key-file');
  }
  const options: ServerOptions = {
    ...pair,
    minVersion: 'TLSv1.2',
    ...(tlsClientCaFile === undefined
      ? {}
      : {
          ca: readTextFile(tlsClientCaFile, '--tls-client-ca-file'),
          requestCert: true,
          rejectUnauthorized: true,
        }),
  };
  try {
    createSecureContext(options);
  } catch (error) {
    throw new StartupError(
      `--tls-cert-file, --tls-key-file: not a usable certificate and key: ${reasonOf(error)}`,
    );
  }
  return options;
}
