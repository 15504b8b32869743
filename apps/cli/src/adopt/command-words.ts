import { UsageError } from '@tetrad/devnet/usage-error';

/** The command that started a node, and its environment. */
export interface StartCommand {
  readonly words: readonly string[];
  readonly environment: ReadonlyMap<string, string>;
}

/** Maximum length of a command line or service file, and maximum number of words of a command. */
const MAX_TEXT = 256 * 1_024;
const MAX_WORDS = 2_000;

/**
 * A command line, as in a shell: `PRIVATE_CONFIG=/tm.ipc geth --datadir …`.
 * @throws UsageError
 */
export function parseCommandLine(text: string): StartCommand {
  assertLength(text);
  const words = wordsOf(text.replaceAll(/\\\r?\n/g, ' '), new Map());
  const environment = new Map<string, string>();
  while (words.length > 0) {
    const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(words[0] ?? '') ?? [];
    if (name === undefined && words[0] !== 'export' && words[0] !== 'exec' && words[0] !== 'env') break;
    if (name !== undefined && value !== undefined) environment.set(name, value);
    words.shift();
  }
  return { words, environment };
}

/**
 * The command of a systemd service file: its `ExecStart`, with the variables of `Environment`.
 * @throws UsageError
 */
export function parseServiceFile(text: string): StartCommand {
  assertLength(text);
  const environment = new Map<string, string>();
  let command: string | undefined;
  let section = '';
  for (const line of text.replaceAll(/\\\r?\n/g, ' ').split(/\r?\n/)) {
    const trimmed = line.trim();
    if (trimmed.startsWith('[')) section = trimmed;
    if (section !== '[Service]' || trimmed.startsWith('#') || trimmed.startsWith(';')) continue;
    const [name, value] = splitOnce(trimmed);
    if (name === 'ExecStart') command = value.replace(/^[-@:+!]+/, '');
    if (name === 'EnvironmentFile')
      throw new UsageError(`--service-file: EnvironmentFile ${value} is not read: give the whole --command`);
    if (name !== 'Environment') continue;
    for (const word of wordsOf(value, new Map())) environment.set(...splitOnce(word));
  }
  if (command === undefined) throw new UsageError('--service-file: has no ExecStart in [Service]');
  return { words: wordsOf(command, environment), environment };
}

function assertLength(text: string): void {
  if (text.length > MAX_TEXT) throw new UsageError(`the command exceeds ${MAX_TEXT} characters`);
}

function splitOnce(text: string): [string, string] {
  const at = text.indexOf('=');
  return at === -1 ? [text, ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/**
 * Words separated by blanks; quotes and backslashes as in a shell, and variables of the map.
 * @throws UsageError
 */
function wordsOf(text: string, variables: ReadonlyMap<string, string>): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] as string;
    if (quote === '' && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === quote) quote = '';
    else if (quote === '' && (character === "'" || character === '"'))
      [quote, word] = [character, word ?? ''];
    else if (character === '\\' && quote !== "'") word = (word ?? '') + (text[(at += 1)] ?? '');
    else if (character === '$' && quote !== "'") {
      const { value, length } = variableAt(text, at, variables);
      word = (word ?? '') + value;
      at += length - 1;
    } else word = (word ?? '') + character;
    if (words.length > MAX_WORDS) throw new UsageError(`the command has more than ${MAX_WORDS} words`);
  }
  if (quote !== '') throw new UsageError(`the command has a ${quote} that does not end`);
  return word === undefined ? words : [...words, word];
}

function variableAt(
  text: string,
  at: number,
  variables: ReadonlyMap<string, string>,
): { value: string; length: number } {
  const [written = '$', braced, bare] =
    /^\$(?:\{([A-Za-z0-9_]{1,100})\}|([A-Za-z0-9_]{1,100}))/.exec(text.slice(at, at + 110)) ?? [];
  const name = braced ?? bare;
  if (name === undefined) return { value: '$', length: 1 };
  const value = variables.get(name);
  if (value === undefined)
    throw new UsageError(`the command has the variable ${written}: write its value instead`);
  return { value, length: written.length };
}
