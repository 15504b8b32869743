import { keysByName, type OptionTable } from './define-options.js';
import { nearest } from './nearest.js';
import { OptionError } from './startup-error.js';

export interface CommandLine {
  /** Option key → its texts, one entry for each occurrence. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly configFile?: string;
  /** The arguments without a flag, in order; only where words are accepted. */
  readonly words: readonly string[];
  /** Set when the user requests a text, such as the help, instead of the service. */
  readonly wants?: 'help' | 'version';
}

/**
 * Reads `--flag value`, `--flag=value` and, for booleans, a bare `--flag`.
 * @param options.maxWords - the maximum number of arguments without a flag
 * @throws OptionError on an unknown flag, a stray word, a flag without its value or given twice
 */
export function parseCommandLine(
  argv: readonly string[],
  table: OptionTable,
  { maxWords = 0 }: { readonly maxWords?: number } = {},
): CommandLine {
  const keyOfFlag = keysByFlag(table);
  const values = new Map<string, string[]>();
  const words: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (word === '--help' || word === '-h') return { values, words, wants: 'help' };
    if (word === '--version') return { values, words, wants: 'version' };
    if (words.length < maxWords && (word === '-' || !word.startsWith('-'))) {
      words.push(word);
      continue;
    }
    const { flag, inline } = splitFlag(word);
    const key = keyOfFlag.get(flag);
    if (key === undefined)
      throw new OptionError(flag, `unknown option${nearest(flag, [...keyOfFlag.keys()])}`);
    const isBoolean = table[key]?.type.toml === 'boolean';
    const next = argv[index + 1];
    let value = inline;
    if (value === undefined && (isBoolean ? next === 'true' || next === 'false' : next !== undefined)) {
      value = next;
      index += 1;
    }
    add(values, { flag, key, value: value ?? (isBoolean ? 'true' : undefined) }, table);
  }
  const configFile = values.get('configFile')?.[0];
  values.delete('configFile');
  return configFile === undefined ? { values, words } : { values, words, configFile };
}

function keysByFlag(table: OptionTable): ReadonlyMap<string, string> {
  return new Map([
    ...[...keysByName(table)].map(([name, key]) => [`--${name}`, key] as const),
    ...Object.entries(table).flatMap(([key, { short }]) =>
      short === undefined ? [] : [[`-${short}`, key] as const],
    ),
    ['--config-file', 'configFile'] as const,
  ]);
}

function splitFlag(word: string): { flag: string; inline: string | undefined } {
  if (!/^--?[a-z]/i.test(word)) throw new OptionError(word, 'unexpected argument');
  const equals = word.indexOf('=');
  return equals === -1
    ? { flag: word, inline: undefined }
    : { flag: word.slice(0, equals), inline: word.slice(equals + 1) };
}

function add(
  values: Map<string, string[]>,
  { flag, key, value }: { flag: string; key: string; value: string | undefined },
  table: OptionTable,
): void {
  if (value === undefined) throw new OptionError(flag, 'requires a value');
  const given = values.get(key) ?? [];
  if (given.length > 0 && table[key]?.type.toml !== 'list') throw new OptionError(flag, 'given twice');
  values.set(key, [...given, value]);
}
