import {
  COMMAND_EXIT,
  type CommandShape,
  type CommandTerminal,
  type ConfigOf,
  type OptionTable,
} from '@tetrad/service';

export interface Terminal extends CommandTerminal {
  /** Asks a person for yes or no; absent where a script runs the command. */
  ask?(question: string): Promise<boolean>;
}

/** The input of a command. */
export interface CommandInput<Table extends OptionTable> {
  /** Positional arguments. */
  readonly words: readonly string[];
  readonly config: ConfigOf<Table>;
  readonly terminal: Terminal;
  /** Aborted when the user wants it to end. */
  readonly signal: AbortSignal;
}

/** What scripts can tell apart. */
export const EXIT = {
  ...COMMAND_EXIT,
  /** It is not known whether the operator has the operation, or one of before was settled first: run it again. */
  unsettled: 3,
} as const;

/** One command of `tetrad rollup`; its help text is generated from this. */
export interface Command<Table extends OptionTable = OptionTable> extends CommandShape {
  readonly options: Table;
  /**
   * @returns the exit code when it is not 0
   * @throws OperatorError, RequestError, what the client fails with
   */
  run(input: CommandInput<Table>): Promise<number | void>;
}

/** Keeps the exact types of the options; what comes back takes any table, for the list of commands. */
export function defineCommand<const Table extends OptionTable>(command: Command<Table>): Command {
  return { ...command, run: (input) => command.run({ ...input, config: input.config as ConfigOf<Table> }) };
}
