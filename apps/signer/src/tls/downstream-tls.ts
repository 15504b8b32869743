import { readTextFile } from '@tetrad/service';
import type { DownstreamTls } from '@tetrad/signer-downstream';
import { OperatorError } from '@tetrad/types';
import type { SignerConfig } from '../config.js';
import { parseFingerprints } from './fingerprints.js';
import { missing, readIdentity } from './identity.js';

/**
 * TLS with the Ethereum client; undefined when it is off.
 *
 * Fails:  OperatorError when a part is missing or a file cannot be used
 * Source: signing-proxy.md, sections 11 and 14
 */
export function downstreamTls(config: SignerConfig): DownstreamTls | undefined {
  const file = config.downstreamHttpTlsKnownServersFile;
  const identity = readIdentity({
    prefix: 'downstream-http-tls',
    keystoreFile: config.downstreamHttpTlsKeystoreFile,
    passwordFile: config.downstreamHttpTlsKeystorePasswordFile,
  });
  const trustAuthorities = config.downstreamHttpTlsCaAuthEnabled;
  if (!config.downstreamHttpTlsEnabled) {
    if (identity === undefined && file === undefined && trustAuthorities) return undefined;
    throw missing('--downstream-http-tls-enabled=true');
  }
  if (file === undefined && !trustAuthorities) {
    throw new OperatorError(
      "Missing required argument(s): '--downstream-http-tls-known-servers-file' must be specified if '--downstream-http-tls-ca-auth-enabled=false'",
    );
  }
  return { identity, trustAuthorities, knownServers: readKnownServers(file) };
}

function readKnownServers(file: string | undefined): DownstreamTls['knownServers'] {
  if (file === undefined) return new Map();
  const flag = '--downstream-http-tls-known-servers-file';
  const servers = parseFingerprints(readTextFile(file, flag), {
    text: 'Illegally formatted server fingerprint file.',
    file,
  });
  return new Map([...servers].map(([server, fingerprints]) => [server.toLowerCase(), fingerprints]));
}
