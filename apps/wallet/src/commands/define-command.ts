import { userInfo } from 'node:os';
import { randomUUID } from 'node:crypto';
import type { CommandShape, ConfigOf, OptionTable } from '@tetrad/service';
import type { Logger } from '@tetrad/types';
import type { Requester } from '@tetrad/wallet-signing';
import type { Terminal } from './terminal.js';

/** The input of a command. */
export interface CommandInput<Table extends OptionTable> {
  /** Positional arguments. */
  readonly words: readonly string[];
  readonly config: ConfigOf<Table>;
  readonly terminal: Terminal;
  readonly logger: Logger;
}

/** One command of `tetrad wallet`; its help text is generated from this. */
export interface Command<Table extends OptionTable = OptionTable> extends CommandShape {
  readonly options: Table;
  /**
   * @returns the exit code when it is not 0
   * @throws OperatorError, RequestError
   */
  run(input: CommandInput<Table>): Promise<number | void>;
}

/** Keeps the exact types of the options; what comes back takes any table, for the list of commands. */
export function defineCommand<const Table extends OptionTable>(command: Command<Table>): Command {
  return { ...command, run: (input) => command.run({ ...input, config: input.config as ConfigOf<Table> }) };
}

/** Who runs a command, for the audit log. */
export function operator(): Requester {
  return { caller: `cli:${userName()}`, requestId: randomUUID() };
}

/** The number of a user whom the system has no name for, as in a container. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
