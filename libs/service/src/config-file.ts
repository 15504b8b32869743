import { parse, TomlError } from 'smol-toml';
import { kebabCase, type OptionTable } from './define-options.js';
import { nearest } from './nearest.js';
import { readTextFile } from './option-types.js';
import { OptionError } from './startup-error.js';

/**
 * The values of a TOML file as the texts that the option types parse; keys are the flags without their dashes.
 *
 * Fails: StartupError when the file cannot be read; OptionError on bad TOML, an unknown key or a wrong kind
 */
export function readConfigFile(path: string, table: OptionTable): ReadonlyMap<string, readonly string[]> {
  const keys = new Map(Object.keys(table).map((key) => [kebabCase(key), key]));
  const values = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(parseToml(path))) {
    const key = keys.get(name);
    const where = `${name} in ${path}`;
    const type = key === undefined ? undefined : table[key]?.type;
    if (key === undefined || type === undefined) {
      throw new OptionError(where, `unknown key${nearest(name, [...keys.keys()])}`);
    }
    values.set(key, textsOf(value, type.toml, where));
  }
  return values;
}

function parseToml(path: string): Record<string, unknown> {
  const text = readTextFile(path, '--config-file');
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const problem = error.message.split('\n')[0]?.replace('Invalid TOML document: ', '') ?? '';
    throw new OptionError('--config-file', `${path}, line ${error.line}: ${problem}`);
  }
}

function textsOf(value: unknown, kind: OptionTable[string]['type']['toml'], where: string): string[] {
  if (typeof value === 'string') return [value];
  if (kind === 'integer' && typeof value === 'number') return [String(value)];
  if (kind === 'boolean' && typeof value === 'boolean') return [String(value)];
  if (kind === 'list' && Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value;
  const expected = {
    string: 'a string',
    integer: 'a number or string',
    boolean: 'true or false',
    list: 'a list of strings',
  };
  throw new OptionError(where, `must be ${expected[kind]}`);
}
