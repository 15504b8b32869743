import { OptionError, createLogger, formatHelp, loadConfig, parseCommandLine } from '@tetrad/service';
import { OperatorError, RequestError } from '@tetrad/types';
import { CoinKeyError } from '@tetrad/wallet-key';
import { walletOptions } from '../config.js';
import type { Command } from './define-command.js';
import { openTerminal, type Terminal } from './terminal.js';

/** As a service's (libs/service): what scripts can tell apart. */
const EXIT = { failed: 1, badOptions: 2 } as const;

/** What a command is run in; the process's own unless a test brings another. */
export interface CommandSurroundings {
  readonly terminal?: Terminal;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** What `--version` prints. */
  readonly version?: string;
}

/** Runs one command with the words that follow its name. Out: the exit code */
export async function runCommand(
  command: Command,
  argv: readonly string[],
  { terminal = openTerminal(), environment = process.env, version = '' }: CommandSurroundings = {},
): Promise<number> {
  try {
    const { name, usage, summary, options } = command;
    const [fewest, mostWords] = command.words;
    const commandLine = parseCommandLine(argv, options, { mostWords });
    if (commandLine.wants === 'version') {
      terminal.say(version);
      return 0;
    }
    if (commandLine.wants === 'help') {
      const described = { name: 'wallet', description: summary, options, usage: `wallet ${name} ${usage}` };
      terminal.say(formatHelp(described).trimEnd());
      return 0;
    }
    if (commandLine.words.length < fewest)
      throw new OptionError(name, `usage: tetrad wallet ${name} ${usage}`);
    // Variables and the file are the service's own, of which a command uses a part.
    const known = { ...walletOptions, ...options };
    const config = loadConfig({ service: 'wallet', options: known, commandLine, environment });
    const logger = createLogger({ service: 'wallet', level: 'warn', stream: process.stderr });
    return (await command.run({ words: commandLine.words, config, terminal, logger })) ?? 0;
  } catch (error) {
    return report(error, terminal);
  }
}

/** One line for an error that the user can fix; an unexpected error is printed with its stack. */
function report(error: unknown, terminal: Terminal): number {
  if (error instanceof OptionError) {
    terminal.warn(error.message);
    return EXIT.badOptions;
  }
  const expected =
    error instanceof OperatorError || error instanceof RequestError || error instanceof CoinKeyError;
  terminal.warn(
    expected ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error),
  );
  return EXIT.failed;
}
