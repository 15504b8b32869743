import { existsSync } from 'node:fs';
import { parse, TomlError } from 'smol-toml';
import { keysByName, type OptionTable } from './define-options.js';
import { nearest } from './nearest.js';
import { readTextFile } from './option-types.js';
import { withoutByteOrderMark } from '@tetrad/types';
import { OptionError, StartupError } from './startup-error.js';

/** Texts of EthSigner (docs/spec/signing-proxy.md#options), which suit the other services as well. */
const TEXTS = {
  notFound: 'TOML configuration file not found',
  empty: 'Empty TOML configuration file',
  invalid: 'Invalid TOML configuration',
  unknown: 'Unknown option(s) in TOML configuration file',
};

/**
 * The values of a configuration file as the texts that the option types parse, by the keys of the table.
 * @throws StartupError when the file cannot be read; OptionError on bad syntax, unknown keys or a wrong kind
 */
export type ConfigFileReader = (path: string, table: OptionTable) => ReadonlyMap<string, readonly string[]>;

/**
 * Reads TOML; keys are the flags without their dashes, or their parts by section: `http-listen-port`, or `listen-port`
 * under `[http]`.
 */
export const readConfigFile: ConfigFileReader = (path, table) =>
  configValues(flatten(parseToml(path)), table, { path, unknown: TEXTS.unknown });

/**
 * Values by the keys of the table.
 * @param entries - kebab-case names and their values in the file
 * @param options.unknown - creates the message about unknown names
 * @throws OptionError
 */
export function configValues(
  entries: readonly (readonly [string, unknown])[],
  table: OptionTable,
  { path, unknown }: { readonly path: string; readonly unknown: string },
): ReadonlyMap<string, readonly string[]> {
  const keys = keysByName(table);
  const values = new Map<string, readonly string[]>();
  const strangers: string[] = [];
  for (const [name, value] of entries) {
    const key = keys.get(name);
    const type = key === undefined ? undefined : table[key]?.type;
    if (key === undefined || type === undefined) strangers.push(`${name}${nearest(name, [...keys.keys()])}`);
    else values.set(key, textsOf(value, type.toml, `${name} in ${path}`));
  }
  if (strangers.length > 0) throw new OptionError(unknown, `${strangers.join(', ')} in ${path}`);
  return values;
}

/** Values under their whole names; a section of the empty kind has none. */
function flatten(table: Readonly<Record<string, unknown>>, section = ''): [string, unknown][] {
  return Object.entries(table).flatMap(([key, value]) => {
    const isSection =
      typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
    return isSection
      ? flatten(value as Record<string, unknown>, `${section}${key}-`)
      : [[`${section}${key}`, value]];
  });
}

function parseToml(path: string): Record<string, unknown> {
  if (!existsSync(path)) throw new StartupError(`${TEXTS.notFound}: ${path}`);
  const text = readTextFile(path, '--config-file');
  let table: Record<string, unknown>;
  try {
    table = parse(withoutByteOrderMark(text));
  } catch (error) {
    if (error instanceof SyntaxError) throw new OptionError(TEXTS.invalid, `${path}: ${error.message}`);
    if (!(error instanceof TomlError)) throw error;
    const problem = error.message.split('\n')[0]?.replace('Invalid TOML document: ', '') ?? '';
    throw new OptionError(TEXTS.invalid, `${path}, line ${error.line}: ${problem}`);
  }
  if (Object.keys(table).length === 0) throw new OptionError(TEXTS.empty, path);
  return table;
}

function textsOf(value: unknown, kind: OptionTable[string]['type']['toml'], where: string): string[] {
  if (typeof value === 'string') return [value];
  if ((kind === 'integer' || kind === 'fraction') && typeof value === 'number') return [String(value)];
  if (kind === 'boolean' && typeof value === 'boolean') return [String(value)];
  if (kind === 'list' && Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value;
  const expected = {
    string: 'a string',
    integer: 'a number or string',
    fraction: 'a number or string',
    boolean: 'true or false',
    list: 'a list of strings',
  };
  throw new OptionError(where, `must be ${expected[kind]}`);
}
