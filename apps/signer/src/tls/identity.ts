import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { readTextFile, reasonOf } from '@tetrad/service';
import { OperatorError, firstLine } from '@tetrad/types';

/** A certificate with its key, as `node:tls` takes them. */
export interface TlsIdentity {
  /** PKCS#12. */
  readonly pfx: Buffer;
  readonly passphrase: string;
}

/** Flags of the two files, without the dashes, and what they say. */
export interface IdentityFiles {
  readonly prefix: 'tls' | 'downstream-http-tls';
  readonly keystoreFile: string | undefined;
  readonly passwordFile: string | undefined;
}

/**
 * Reads a certificate and its key; undefined when none is asked for.
 *
 * Fails: OperatorError when one of the files is not given, cannot be read, or does not fit the other
 */
export function readIdentity({ prefix, keystoreFile, passwordFile }: IdentityFiles): TlsIdentity | undefined {
  if (keystoreFile === undefined && passwordFile === undefined) return undefined;
  if (keystoreFile === undefined) throw missing(`--${prefix}-keystore-file=<FILE>`);
  if (passwordFile === undefined) throw missing(`--${prefix}-keystore-password-file=<FILE>`);
  const passphrase = readPassword(passwordFile, `--${prefix}-keystore-password-file`);
  try {
    const identity = { pfx: readFileSync(keystoreFile), passphrase };
    createSecureContext(identity);
    return identity;
  } catch (error) {
    throw new OperatorError(`--${prefix}-keystore-file: ${keystoreFile} cannot be used: ${reasonOf(error)}`);
  }
}

/** The first line. */
function readPassword(file: string, flag: string): string {
  const content = readTextFile(file, flag);
  // For key stores an empty password is one; for TLS EthSigner refuses it.
  if (content === '') throw new OperatorError(`${flag}: Cannot read from empty file (${file})`);
  return firstLine(content);
}

/** EthSigner's words. */
export function missing(argument: string): OperatorError {
  return new OperatorError(`Missing required argument(s): '${argument}'`);
}
