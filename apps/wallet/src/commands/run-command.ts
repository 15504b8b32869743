import { COMMAND_EXIT, createLogger, runCommand as run } from '@tetrad/service';
import { OperatorError, RequestError } from '@tetrad/types';
import { CoinKeyError } from '@tetrad/wallet-key';
import { walletOptions } from '../config.js';
import type { Command } from './define-command.js';
import { openTerminal, type Terminal } from './terminal.js';

/** What a command is run in; the process's own unless a test brings another. */
export interface CommandSurroundings {
  readonly terminal?: Terminal;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** What `--version` prints. */
  readonly version?: string;
}

/** Errors that the user can fix. */
const EXPECTED = [OperatorError, RequestError, CoinKeyError];

/**
 * Runs one command with the words that follow its name.
 * @returns the exit code
 */
export function runCommand(
  command: Command,
  argv: readonly string[],
  { terminal = openTerminal(), environment = process.env, version = '' }: CommandSurroundings = {},
): Promise<number> {
  const exitCodeOf = (error: unknown) =>
    EXPECTED.some((kind) => error instanceof kind) ? COMMAND_EXIT.failed : undefined;
  const program = {
    name: 'wallet',
    service: 'wallet',
    version,
    terminal,
    environment,
    exitCodeOf,
    // Variables and the file are the service's own, of which a command uses a part.
    loadedOptions: walletOptions,
  };
  return run(command, argv, program, ({ words, config }) => {
    const logger = createLogger({ service: 'wallet', level: 'warn', stream: process.stderr });
    return command.run({ words, config, terminal, logger });
  });
}
