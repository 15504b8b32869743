import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { OperatorError, firstLine } from '@tetrad/types';
import { flagOf } from '../define-options.js';
import type { FileValues } from '../file-options.js';
import { readTextFile } from '../option-types.js';
import { reasonOf } from '../startup-error.js';

/** A certificate with its key, as `node:tls` takes them. */
export interface TlsIdentity {
  /** PKCS#12. */
  readonly pfx: Buffer;
  readonly passphrase: string;
}

/**
 * Reads a certificate and its key from the files of `PREFIXKeystoreFile` and `PREFIXKeystorePasswordFile`.
 * @returns undefined when neither is given
 * @throws OperatorError when one of the files is not given, cannot be read, or does not fit the other
 */
export function readKeystoreFile<Prefix extends string>(
  config: FileValues<Prefix, 'KeystoreFile' | 'KeystorePasswordFile'>,
  prefix: Prefix,
): TlsIdentity | undefined {
  const values = config as Readonly<Record<string, string | undefined>>;
  const keys = { file: `${prefix}KeystoreFile`, password: `${prefix}KeystorePasswordFile` };
  const [file, passwordFile] = [values[keys.file], values[keys.password]];
  if (file === undefined && passwordFile === undefined) return undefined;
  if (file === undefined) throw missingArgument(`${flagOf(keys.file)}=<FILE>`);
  if (passwordFile === undefined) throw missingArgument(`${flagOf(keys.password)}=<FILE>`);
  const passphrase = readPassword(passwordFile, flagOf(keys.password));
  try {
    const identity = { pfx: readFileSync(file), passphrase };
    createSecureContext(identity);
    return identity;
  } catch (error) {
    throw new OperatorError(`${flagOf(keys.file)}: ${file} cannot be used: ${reasonOf(error)}`);
  }
}

/** The first line. */
function readPassword(file: string, flag: string): string {
  const content = readTextFile(file, flag);
  // For key stores an empty password is valid; for TLS EthSigner refuses it.
  if (content === '') throw new OperatorError(`${flag}: Cannot read from empty file (${file})`);
  return firstLine(content);
}

/** EthSigner's words. */
export function missingArgument(argument: string): OperatorError {
  return new OperatorError(`Missing required argument(s): '${argument}'`);
}
