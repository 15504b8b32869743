import type { ConfigOf, OptionTable } from '@tetrad/service';

/** Where a command talks to a person, or to a script. */
export interface Terminal {
  /** One line on standard output. */
  say(line: string): void;
  /** One line on standard error. */
  warn(line: string): void;
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
  done: 0,
  failed: 1,
  badOptions: 2,
  /** It is not known whether the operator has the operation, or one of before was settled first: run it again. */
  unsettled: 3,
} as const;

/** One command of `tetrad rollup`; its help text is generated from this. */
export interface Command<Table extends OptionTable = OptionTable> {
  /** As it is typed: `send`, `account new`. */
  readonly name: string;
  /** What follows the name in the usage line. */
  readonly usage: string;
  /** Fewest and most words that it takes. */
  readonly words: readonly [fewest: number, most: number];
  /** One sentence. */
  readonly summary: string;
  readonly options: Table;
  /** Out: the exit code when it is not 0. Fails: OperatorError, RequestError, what the client fails with */
  run(input: CommandInput<Table>): Promise<number | void>;
}

/** Keeps the exact types of the options; what comes back takes any table, for the list of commands. */
export function defineCommand<const Table extends OptionTable>(command: Command<Table>): Command {
  return { ...command, run: (input) => command.run({ ...input, config: input.config as ConfigOf<Table> }) };
}
