import { missingArgument, readFingerprints, readKeystoreFile } from '@tetrad/service';
import type { DownstreamTls } from '@tetrad/signer-downstream';
import { OperatorError } from '@tetrad/types';
import type { SignerConfig } from '../config.js';

/**
 * TLS with the Ethereum client; undefined when it is off.
 *
 * Source: docs/spec/signing-proxy.md#options and #tls
 *
 * @throws OperatorError when a part is missing or a file cannot be used
 */
export function downstreamTls(config: SignerConfig): DownstreamTls | undefined {
  const file = config.downstreamHttpTlsKnownServersFile;
  const identity = readKeystoreFile(config, 'downstreamHttpTls');
  const trustAuthorities = config.downstreamHttpTlsCaAuthEnabled;
  if (!config.downstreamHttpTlsEnabled) {
    if (identity === undefined && file === undefined && trustAuthorities) return undefined;
    throw missingArgument('--downstream-http-tls-enabled=true');
  }
  if (file === undefined && !trustAuthorities) {
    throw new OperatorError(
      "Missing required argument(s): '--downstream-http-tls-known-servers-file' must be specified if '--downstream-http-tls-ca-auth-enabled=false'",
    );
  }
  return { identity, trustAuthorities, knownServers: readKnownServers(file) };
}

function readKnownServers(file: string | undefined): DownstreamTls['knownServers'] {
  const servers = readFingerprints(file, {
    flag: '--downstream-http-tls-known-servers-file',
    malformed: 'Illegally formatted server fingerprint file.',
  });
  return new Map([...servers].map(([server, fingerprints]) => [server.toLowerCase(), fingerprints]));
}
