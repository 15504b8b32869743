import { readTextFile } from './option-types.js';
import { OptionError } from './startup-error.js';

/** A certificate chain and its private key, both PEM. */
export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

/**
 * Reads the files of `PREFIX-cert-file` and `PREFIX-key-file`.
 *
 * In:    prefix — of both flags, such as `--tls`
 * Out:   undefined when neither is given
 * Fails: OptionError when one is missing; StartupError when a file is unreadable
 */
export function readCertificatePair(
  prefix: string,
  certFile: string | undefined,
  keyFile: string | undefined,
): CertificatePair | undefined {
  const [certFlag, keyFlag] = [`${prefix}-cert-file`, `${prefix}-key-file`];
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined) throw new OptionError(certFlag, `is required with ${keyFlag}`);
  if (keyFile === undefined) throw new OptionError(keyFlag, `is required with ${certFlag}`);
  return { cert: readTextFile(certFile, certFlag), key: readTextFile(keyFile, keyFlag) };
}
