import type { ServerOptions } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { FileValues } from '../file-options.js';
import { OptionError } from '../startup-error.js';
import { assertUsable, readAuthorities, readCertificatePair } from './tls-files.js';

export type TlsConfig = FileValues<'tls', 'CertFile' | 'ClientCaFile' | 'KeyFile'>;

/** TLS that a service brings instead of that of `--tls-cert-file`. */
export interface ServerTls {
  readonly options: ServerOptions;
  /**
   * Reads the files of the options again.
   * @throws when they cannot be used
   */
  readonly reread?: () => ServerOptions;
  /** Whether a client that connected may go on; all may when absent. */
  readonly admits?: (socket: TLSSocket) => boolean;
}

/**
 * The options of the HTTPS server; undefined when TLS is off. With a client authority, a client without a certificate
 * of it fails the handshake.
 * @throws OptionError when a part is missing; StartupError when the files are unreadable or do not fit together
 */
export function tlsServerOptions(config: TlsConfig): ServerOptions | undefined {
  const pair = readCertificatePair(config, 'tls');
  if (pair === undefined) {
    if (config.tlsClientCaFile === undefined) return undefined;
    throw new OptionError('--tls-client-ca-file', 'requires --tls-cert-file and --tls-key-file');
  }
  const ca = readAuthorities(config, 'tls', 'ClientCaFile');
  const options: ServerOptions = {
    ...pair,
    minVersion: 'TLSv1.2',
    ...(ca === undefined ? {} : { ca, requestCert: true, rejectUnauthorized: true }),
  };
  assertUsable(options, '--tls-cert-file, --tls-key-file: not a usable certificate and key');
  return options;
}
