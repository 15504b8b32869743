import type { PeerCertificate, TLSSocket } from 'node:tls';
import { readTextFile, type ServerTls } from '@tetrad/service';
import { OperatorError } from '@tetrad/types';
import type { SignerConfig } from '../config.js';
import { parseFingerprints } from './fingerprints.js';
import { missing, readIdentity } from './identity.js';

type Known = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * TLS for callers; undefined when it is off. Callers must show a certificate that is known, or of a known authority,
 * unless any caller may come.
 *
 * Fails:  OperatorError when a part is missing or a file cannot be used
 * Source: signing-proxy.md, sections 11 and 14
 */
export function serverTls(config: SignerConfig): ServerTls | undefined {
  const { tlsKnownClientsFile, tlsAllowCaClients, tlsAllowAnyClient } = config;
  const identity = readIdentity({
    prefix: 'tls',
    keystoreFile: config.tlsKeystoreFile,
    passwordFile: config.tlsKeystorePasswordFile,
  });
  const restricts = tlsKnownClientsFile !== undefined || tlsAllowCaClients;
  if (identity === undefined) {
    if (restricts || tlsAllowAnyClient) throw missing('--tls-keystore-file=<FILE>');
    return undefined;
  }
  if (config.tlsCertFile !== undefined)
    throw new OperatorError('--tls-keystore-file cannot be used together with --tls-cert-file');
  const options = { ...identity, minVersion: 'TLSv1.2' as const };
  if (tlsAllowAnyClient) return { options };
  if (!restricts) {
    throw new OperatorError(
      'Missing required argument(s): expecting either --tls-allow-any-client or one of --tls-known-clients-file=<FILE>, --tls-allow-ca-clients',
    );
  }
  const known = readKnownClients(tlsKnownClientsFile);
  const authorities =
    config.tlsClientCaFile === undefined
      ? {}
      : { ca: readTextFile(config.tlsClientCaFile, '--tls-client-ca-file') };
  return {
    // Who may go on is decided below, when the certificate is there.
    options: { ...options, ...authorities, requestCert: true, rejectUnauthorized: false },
    admits: (socket) => (tlsAllowCaClients && socket.authorized) || isKnown(socket, known),
  };
}

function readKnownClients(file: string | undefined): Known {
  if (file === undefined) return new Map();
  const text = 'Illegally formatted client fingerprint file.';
  return parseFingerprints(readTextFile(file, '--tls-known-clients-file'), { text, file });
}

function isKnown(socket: TLSSocket, known: Known): boolean {
  const { subject, fingerprint256 }: Partial<PeerCertificate> = socket.getPeerCertificate();
  if (fingerprint256 === undefined) return false;
  // A certificate may have several common names.
  const names = [subject?.CN ?? []].flat();
  return names.some((name) => known.get(name)?.has(fingerprint256) === true);
}
