import { describeFileError } from '@tetrad/files';
import { parseCommandLine } from '../command-line.js';
import type { OptionTable } from '../define-options.js';
import { fetchSecrets } from '../fetch-secrets.js';
import { cautionsOf, loadConfig } from '../load-config.js';
import { formatHelp } from '../option-help.js';
import { OptionError } from '../startup-error.js';

/** Exit codes that every command has; scripts distinguish them. */
export const COMMAND_EXIT = { done: 0, failed: 1, badOptions: 2 } as const;

/** A command of a program; its help text is generated from this. */
export interface CommandShape {
  /** As it is typed: `send`, `account new`. */
  readonly name: string;
  /** What follows the name in the usage line. */
  readonly usage: string;
  /** Fewest and most words that it takes. */
  readonly words: readonly [fewest: number, most: number];
  /** One sentence. */
  readonly summary: string;
  readonly options: OptionTable;
}

/** Where a command talks to a person, or to a script. */
export interface CommandTerminal {
  /** One line on standard output. */
  say(line: string): void;
  /** One line on standard error. */
  warn(line: string): void;
}

/** The program around a command. */
export interface CommandProgram {
  /** As it is typed after `tetrad`: `rollup`. */
  readonly name: string;
  /** Under which its variables begin: `rollup-client` for TETRAD_ROLLUP_CLIENT_CONTRACT. */
  readonly service: string;
  /** What `--version` prints. */
  readonly version: string;
  /** Options of the program beside those of the command, for variables and the configuration file. */
  readonly loadedOptions?: OptionTable;
  /** Options whose variables may be set, and are not read. */
  readonly otherOptions?: OptionTable;
  readonly terminal: CommandTerminal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The exit code for an error that the user can fix, or must know of; undefined for any other. */
  readonly exitCodeOf: (error: unknown) => number | undefined;
}

/** What is read for a command. */
export interface CommandValues {
  readonly words: readonly string[];
  readonly config: Readonly<Record<string, unknown>>;
}

/**
 * Runs one command with the words that follow its name, or prints its help. Errors become lines for the user: an
 * expected one its message, any other its stack.
 * @param run - returns the exit code when it is not 0
 * @returns the exit code
 */
export async function runCommand(
  command: CommandShape,
  argv: readonly string[],
  program: CommandProgram,
  run: (values: CommandValues) => Promise<number | void>,
): Promise<number> {
  try {
    const values = await readValues(command, argv, program);
    return values === undefined ? COMMAND_EXIT.done : ((await run(values)) ?? COMMAND_EXIT.done);
  } catch (error) {
    return report(error, program);
  }
}

/**
 * @returns undefined when the help or the version was asked for, and printed
 * @throws OptionError, StartupError
 */
async function readValues(
  { name, usage, words: [fewest, maxWords], summary, options }: CommandShape,
  argv: readonly string[],
  program: CommandProgram,
): Promise<CommandValues | undefined> {
  const { service, loadedOptions, otherOptions, environment, terminal } = program;
  const line = `${program.name} ${name} ${usage}`;
  const commandLine = parseCommandLine(argv, options, { maxWords });
  if (commandLine.wants === 'version') return void terminal.say(program.version);
  if (commandLine.wants === 'help') {
    const help = formatHelp({ name: service, description: summary, options, usage: line });
    return void terminal.say(help.trimEnd());
  }
  if (commandLine.words.length < fewest) throw new OptionError(name, `usage: tetrad ${line}`);
  const known = { ...loadedOptions, ...options };
  const written = loadConfig({ service, options: known, otherOptions, commandLine, environment });
  const config = await fetchSecrets(written, environment);
  for (const caution of cautionsOf(known, config)) terminal.warn(caution);
  return { words: commandLine.words, config };
}

function report(error: unknown, { terminal, exitCodeOf }: CommandProgram): number {
  const fileProblem = describeFileError(error);
  if (fileProblem !== undefined) {
    terminal.warn(fileProblem);
    return COMMAND_EXIT.failed;
  }
  const code = error instanceof OptionError ? COMMAND_EXIT.badOptions : exitCodeOf(error);
  const text = error instanceof Error ? error.message : String(error);
  terminal.warn(code === undefined && error instanceof Error ? (error.stack ?? text) : text);
  return code ?? COMMAND_EXIT.failed;
}
