import { createSecureContext } from 'node:tls';
import { flagOf } from '../define-options.js';
import type { FileKind, FileValues } from '../file-options.js';
import { readTextFile } from '../option-types.js';
import { OptionError, StartupError, reasonOf } from '../startup-error.js';

/** A certificate chain and its private key, both PEM. */
export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

/** A file of the options, with the flag by which messages name it. */
interface GivenFile {
  readonly flag: string;
  /** Undefined when the option is not given. */
  readonly path: string | undefined;
}

function fileOf<Prefix extends string, Kind extends FileKind>(
  config: FileValues<Prefix, Kind>,
  prefix: Prefix,
  kind: Kind,
): GivenFile {
  const key = `${prefix}${kind}` as const;
  return { flag: flagOf(key), path: (config as Readonly<Record<string, string | undefined>>)[key] };
}

/**
 * Reads the files of `PREFIXCertFile` and `PREFIXKeyFile`.
 * @returns undefined when neither is given
 * @throws OptionError when one is missing; StartupError when a file is unreadable
 */
export function readCertificatePair<Prefix extends string>(
  config: FileValues<Prefix, 'CertFile' | 'KeyFile'>,
  prefix: Prefix,
): CertificatePair | undefined {
  const cert = fileOf<Prefix, 'CertFile' | 'KeyFile'>(config, prefix, 'CertFile');
  const key = fileOf<Prefix, 'CertFile' | 'KeyFile'>(config, prefix, 'KeyFile');
  if (cert.path === undefined && key.path === undefined) return undefined;
  if (cert.path === undefined) throw new OptionError(cert.flag, `is required with ${key.flag}`);
  if (key.path === undefined) throw new OptionError(key.flag, `is required with ${cert.flag}`);
  return { cert: readTextFile(cert.path, cert.flag), key: readTextFile(key.path, key.flag) };
}

/**
 * Reads the authorities (PEM) of `PREFIXCaFile`, or of `PREFIXClientCaFile`.
 * @returns undefined when no file is given
 * @throws StartupError when the file is unreadable
 */
export function readAuthorities<Prefix extends string, Kind extends 'CaFile' | 'ClientCaFile'>(
  config: FileValues<Prefix, Kind>,
  prefix: Prefix,
  kind: Kind,
): string | undefined {
  const { flag, path } = fileOf<Prefix, Kind>(config, prefix, kind);
  return path === undefined ? undefined : readTextFile(path, flag);
}

/** What a client of another server has for TLS; undefined is what the system has. */
export interface ClientTls {
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

/**
 * Reads the files of `PREFIXCaFile`, `PREFIXCertFile` and `PREFIXKeyFile`.
 * @throws OptionError when a certificate has no key or the other way round; StartupError when a file is unreadable, or
 *   they are not usable together
 */
export function readClientTls<Prefix extends string>(
  config: FileValues<Prefix, 'CaFile' | 'CertFile' | 'KeyFile'>,
  prefix: Prefix,
): ClientTls {
  const pair = readCertificatePair<Prefix>(config, prefix);
  const ca = readAuthorities<Prefix, 'CaFile'>(config, prefix, 'CaFile');
  const flags = (['CaFile', 'CertFile', 'KeyFile'] as const).map((kind) => flagOf(`${prefix}${kind}`));
  const tls = { ca, cert: pair?.cert, key: pair?.key };
  assertUsable(tls, `${flags.join(', ')}: not usable for TLS`);
  return tls;
}

/**
 * @param problem - the text in front of why
 * @throws StartupError when certificate, key and authorities are not usable together
 */
export function assertUsable(options: Parameters<typeof createSecureContext>[0], problem: string): void {
  try {
    createSecureContext(options);
  } catch (error) {
    throw new StartupError(`${problem}: ${reasonOf(error)}`);
  }
}
