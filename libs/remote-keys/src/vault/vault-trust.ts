import { createSecureContext, type TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import { TetradError } from '@tetrad/types';
import { VaultError } from './vault-error.js';
import { readSmallFile, readSmallText } from '@tetrad/files';
import { parseKnownServers } from './known-servers.js';
import { certificatesOfJks } from './jks.js';
import { certificatesOfPkcs12 } from './pkcs12.js';

/** Which certificates of a vault are trusted. */
export type VaultTrust =
  /** Those of the authorities that Node knows. */
  | { readonly type: 'SYSTEM' }
  /** Those of the authorities, or the very certificates, in a file. */
  | { readonly type: 'PEM'; readonly file: string }
  | { readonly type: 'JKS' | 'PKCS12'; readonly file: string; readonly password: string }
  /** Those whose fingerprint is listed for host and port; authorities do not matter. */
  | { readonly type: 'KNOWN_SERVERS'; readonly file: string };

/** PEM files of the certificate that a client shows. */
export interface VaultCertificate {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface VaultPlace {
  readonly host: string;
  readonly port: number;
}

/**
 * Opens connections to a vault that meet the trust; nothing is sent over one that does not.
 * @throws VaultError, FileError
 */
export async function vaultConnector(
  trust: VaultTrust,
  place: VaultPlace,
  options: { readonly timeoutMs: number; readonly certificate?: VaultCertificate | undefined },
): Promise<buildConnector.connector> {
  const shown = await shownCertificate(options.certificate);
  const common = { timeout: options.timeoutMs, minVersion: 'TLSv1.2' as const, ...shown };
  switch (trust.type) {
    case 'SYSTEM':
      return buildConnector(common);
    case 'KNOWN_SERVERS': {
      // A resumed session would show no certificate.
      const known = parseKnownServers(await readSmallText(trust.file), trust.file);
      const connect = buildConnector({ ...common, rejectUnauthorized: false, maxCachedSessions: 0 });
      return pinned(connect, known.get(`${place.host}:${place.port}`.toLowerCase()) ?? new Set());
    }
    case 'PEM':
    case 'JKS':
    case 'PKCS12': {
      const ca = await authoritiesOf(trust);
      try {
        createSecureContext({ ca });
      } catch {
        throw new VaultError(`${trust.file}: contains no usable certificate`);
      }
      return buildConnector({ ...common, ca });
    }
  }
}

async function shownCertificate(
  files: VaultCertificate | undefined,
): Promise<{ readonly cert?: Buffer; readonly key?: Buffer }> {
  if (files === undefined) return {};
  const [cert, key] = [await readSmallFile(files.certFile), await readSmallFile(files.keyFile)];
  try {
    createSecureContext({ cert, key });
  } catch {
    throw new VaultError(`${files.certFile}, ${files.keyFile}: are no certificate and its key`);
  }
  return { cert, key };
}

async function authoritiesOf(
  trust: Exclude<VaultTrust, { type: 'SYSTEM' | 'KNOWN_SERVERS' }>,
): Promise<string> {
  const content = await readSmallFile(trust.file);
  if (trust.type === 'PEM') {
    const text = content.toString('utf8');
    if (!text.includes('-----BEGIN CERTIFICATE-----'))
      throw new VaultError(`${trust.file}: contains no certificate`);
    return text;
  }
  const read = trust.type === 'JKS' ? certificatesOfJks : certificatesOfPkcs12;
  const certificates = read(content, trust.password, trust.file);
  if (certificates.length === 0) throw new VaultError(`${trust.file}: contains no certificate`);
  return certificates.map(pemOf).join('');
}

function pemOf(der: Uint8Array): string {
  const lines = Buffer.from(der)
    .toString('base64')
    .replace(/.{1,64}/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`;
}

function pinned(
  connect: buildConnector.connector,
  fingerprints: ReadonlySet<string>,
): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      const [error, socket] = result;
      if (error !== null) return callback(error, null);
      if (fingerprints.has((socket as TLSSocket).getPeerCertificate().fingerprint256))
        return callback(null, socket);
      socket.destroy();
      callback(new UnknownServerError('the certificate of the vault is not a known one'), null);
    });
}

/** The vault showed a certificate that is not among the known ones. */
class UnknownServerError extends TetradError {
  override readonly name = 'UnknownServerError';
  override readonly code = 'UNKNOWN_SERVER';
}
