import type { ServerOptions } from 'node:https';
import {
  missingArgument,
  readAuthorities,
  readFingerprints,
  readKeystoreFile,
  showsKnownCertificate,
  type ServerTls,
} from '@tetrad/service';
import { OperatorError } from '@tetrad/types';
import type { SignerConfig } from '../config.js';

/**
 * TLS for callers; undefined when it is off. Callers must show a certificate that is known, or of a known authority,
 * unless any caller may come.
 *
 * Source: docs/spec/signing-proxy.md#options and #tls
 *
 * @throws OperatorError when a part is missing or a file cannot be used
 */
export function serverTls(config: SignerConfig): ServerTls | undefined {
  const { tlsKnownClientsFile, tlsAllowCaClients, tlsAllowAnyClient } = config;
  const identity = readKeystoreFile(config, 'tls');
  const restricts = tlsKnownClientsFile !== undefined || tlsAllowCaClients;
  if (identity === undefined) {
    if (restricts || tlsAllowAnyClient) throw missingArgument('--tls-keystore-file=<FILE>');
    return undefined;
  }
  if (config.tlsCertFile !== undefined)
    throw new OperatorError('--tls-keystore-file cannot be used together with --tls-cert-file');
  const options = { ...identity, minVersion: 'TLSv1.2' as const };
  const renewed = (given: ServerOptions) => ({
    options: given,
    reread: () => ({ ...given, ...readKeystoreFile(config, 'tls') }),
  });
  if (tlsAllowAnyClient) return renewed(options);
  if (!restricts) {
    throw new OperatorError(
      'Missing required argument(s): expecting either --tls-allow-any-client or one of --tls-known-clients-file=<FILE>, --tls-allow-ca-clients',
    );
  }
  const known = readFingerprints(tlsKnownClientsFile, {
    flag: '--tls-known-clients-file',
    malformed: 'Illegally formatted client fingerprint file.',
  });
  const ca = readAuthorities(config, 'tls', 'ClientCaFile');
  return {
    // `admits` decides below, once the certificate is known.
    ...renewed({
      ...options,
      ...(ca === undefined ? {} : { ca }),
      requestCert: true,
      rejectUnauthorized: false,
    }),
    admits: (socket) => (tlsAllowCaClients && socket.authorized) || showsKnownCertificate(socket, known),
  };
}
