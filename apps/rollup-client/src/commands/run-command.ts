import { FolderInUseError } from '@tetrad/files';
import { KeystoreError } from '@tetrad/keystore';
import {
  ChainRpcError,
  ChainUnavailableError,
  OutcomeUnknownError,
  ProofError,
  RevertedError,
} from '@tetrad/rollup-client';
import { CircuitError } from '@tetrad/rollup-circuits';
import { PublicStateError, RecoveryError } from '@tetrad/rollup-state';
import { RpcCallError, RpcTransportError } from '@tetrad/rpc';
import { OptionError, formatHelp, loadConfig, parseCommandLine } from '@tetrad/service';
import { OperatorError } from '@tetrad/types';
import { allOptions } from '../options.js';
import { EXIT, type Command, type Terminal } from './define-command.js';

/** Under which its variables begin: TETRAD_ROLLUP_CLIENT_CONTRACT. */
const SERVICE = 'rollup-client';

/** What a command is run in. */
export interface CommandSurroundings {
  readonly terminal: Terminal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** What `--version` prints. */
  readonly version: string;
}

/** Runs one command with the words that follow its name. Out: the exit code */
export async function runCommand(
  command: Command,
  argv: readonly string[],
  { terminal, environment, signal, version }: CommandSurroundings,
): Promise<number> {
  try {
    const { name, usage, summary, options } = command;
    const [fewest, mostWords] = command.words;
    const commandLine = parseCommandLine(argv, options, { mostWords });
    if (commandLine.wants === 'version') {
      terminal.say(version);
      return EXIT.done;
    }
    if (commandLine.wants === 'help') {
      const described = { name: SERVICE, description: summary, options, usage: `rollup ${name} ${usage}` };
      terminal.say(formatHelp(described).trimEnd());
      return EXIT.done;
    }
    if (commandLine.words.length < fewest)
      throw new OptionError(name, `usage: tetrad rollup ${name} ${usage}`);
    // Of variables and the file a command uses a part.
    const config = loadConfig({
      service: SERVICE,
      options: { ...withoutRequired(allOptions), ...options },
      ...{ commandLine, environment },
    });
    return (await command.run({ words: commandLine.words, config, terminal, signal })) ?? EXIT.done;
  } catch (error) {
    return report(error, terminal);
  }
}

function withoutRequired(table: typeof allOptions): typeof allOptions {
  const rows = Object.entries(table).map(([key, row]) => [key, { ...row, required: false }]);
  return Object.fromEntries(rows) as typeof allOptions;
}

/** What a person can mend, or must know. */
const EXPECTED = [
  OperatorError,
  RpcCallError,
  RpcTransportError,
  ChainRpcError,
  ChainUnavailableError,
  KeystoreError,
  ProofError,
  RevertedError,
  RecoveryError,
  PublicStateError,
  FolderInUseError,
  CircuitError,
];

/** One line for an expected error; an unexpected one is printed with its stack. */
function report(error: unknown, terminal: Terminal): number {
  if (error instanceof OptionError) {
    terminal.warn(error.message);
    return EXIT.badOptions;
  }
  if (error instanceof OutcomeUnknownError) {
    terminal.warn(error.message);
    return EXIT.unsettled;
  }
  const isExpected = EXPECTED.some((kind) => error instanceof kind);
  const text = error instanceof Error ? error.message : String(error);
  terminal.warn(isExpected ? text : error instanceof Error ? (error.stack ?? text) : text);
  return EXIT.failed;
}
