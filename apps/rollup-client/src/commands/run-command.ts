import { FolderInUseError } from '@tetrad/files';
import { KeystoreError } from '@tetrad/keystore';
import {
  ChainRpcError,
  ChainUnavailableError,
  DisclosureError,
  OutcomeUnknownError,
  ProofError,
  RevertedError,
} from '@tetrad/rollup-client';
import { CircuitError } from '@tetrad/rollup-circuits';
import { PublicStateError, RecoveryError } from '@tetrad/rollup-state';
import { RpcCallError, RpcTransportError } from '@tetrad/rpc';
import { runCommand as run } from '@tetrad/service';
import { OperatorError } from '@tetrad/types';
import { withEndpoints } from '../endpoints-file.js';
import { allOptions } from '../options.js';
import { EXIT, type Command, type Terminal } from './define-command.js';

/** What a command is run in. */
export interface CommandSurroundings {
  readonly terminal: Terminal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** What `--version` prints. */
  readonly version: string;
}

/**
 * Runs one command with the words that follow its name.
 * @returns the exit code
 */
export async function runCommand(
  command: Command,
  argv: readonly string[],
  { signal, ...given }: CommandSurroundings,
): Promise<number> {
  let environment;
  try {
    environment = withEndpoints(argv, given.environment);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    given.terminal.warn(error.message);
    return EXIT.failed;
  }
  const surroundings = { ...given, environment };
  const program = {
    ...surroundings,
    name: 'rollup',
    service: 'rollup-client',
    exitCodeOf,
    // Of variables and the file a command uses a part.
    loadedOptions: withoutRequired(allOptions),
  };
  return run(command, argv, program, ({ words, config }) =>
    command.run({ words, config, terminal: surroundings.terminal, signal }),
  );
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
  DisclosureError,
];

function exitCodeOf(error: unknown): number | undefined {
  if (error instanceof OutcomeUnknownError) return EXIT.unsettled;
  return EXPECTED.some((kind) => error instanceof kind) ? EXIT.failed : undefined;
}
