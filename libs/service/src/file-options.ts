import { option, type OptionDefinition } from './define-options.js';
import { pathOption, secretPathOption, type OptionType } from './option-types.js';

/** Suffixes of the option names of a group of files, after a common prefix: `tls` and `CertFile` give `--tls-cert-file`. */
export type FileKind =
  /** Certificate chain (PEM), and its private key. */
  | 'CertFile'
  | 'KeyFile'
  /** Certificate authorities (PEM). */
  | 'CaFile'
  | 'ClientCaFile'
  /** Certificate and key (PKCS#12), and its password. */
  | 'KeystoreFile'
  | 'KeystorePasswordFile'
  /** Names and fingerprints of certificates that are trusted. */
  | 'KnownClientsFile'
  | 'KnownServersFile'
  /** The password of a key file. */
  | 'KeyPasswordFile'
  | 'PasswordFile';

/** The description of a file's option, or that and the other names of the option. */
export type FileText = string | { readonly description: string; readonly aliases: readonly string[] };

/** Rows of an option table, under the prefix and the kind of file. */
export type FileOptions<Prefix extends string, Kinds extends FileKind> = {
  readonly [Kind in Kinds as `${Prefix}${Kind}`]: Pick<
    OptionDefinition<string>,
    'aliases' | 'description' | 'group'
  > & { readonly type: OptionType<string> };
};

/** The values of those rows; a file that is not given is undefined. */
export type FileValues<Prefix extends string, Kinds extends FileKind> = {
  readonly [Kind in Kinds as `${Prefix}${Kind}`]: string | undefined;
};

const SECRETS: ReadonlySet<FileKind> = new Set<FileKind>([
  'KeyFile',
  'KeystoreFile',
  'KeystorePasswordFile',
  'KeyPasswordFile',
  'PasswordFile',
]);

/** The options of files that belong together, in the order in which the help shows them. */
export function fileOptions<const Prefix extends string, Kinds extends FileKind>(
  prefix: Prefix,
  group: string,
  files: Readonly<Record<Kinds, FileText>>,
): FileOptions<Prefix, Kinds> {
  const rows = Object.entries<FileText>(files).map(([kind, text]) => [
    `${prefix}${kind}`,
    option(SECRETS.has(kind as FileKind) ? secretPathOption() : pathOption(), {
      group,
      ...(typeof text === 'string' ? { description: text } : text),
    }),
  ]);
  return Object.fromEntries(rows) as FileOptions<Prefix, Kinds>;
}
