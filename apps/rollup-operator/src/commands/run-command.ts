import { KeystoreError } from '@tetrad/keystore';
import { ChainRpcError, ChainUnavailableError, ArtifactError } from '@tetrad/rollup-chain';
import {
  OptionError,
  formatHelp,
  loadConfig,
  parseCommandLine,
  type ConfigOf,
  type OptionTable,
} from '@tetrad/service';
import { OperatorError } from '@tetrad/types';
import { operatorOptions } from '../config.js';
import { deploy, deployOptions } from './deploy.js';
import { newKey, newKeyOptions } from './new-key.js';
import { rebuild, rebuildOptions } from './rebuild.js';

/** As a service's (libs/service): what scripts can tell apart. */
const EXIT = { done: 0, failed: 1, badOptions: 2 } as const;

interface Command<Table extends OptionTable> {
  readonly description: string;
  readonly options: Table;
  /** Out: what is printed as JSON */
  run(config: ConfigOf<Table>): Promise<object>;
}

const COMMANDS = {
  deploy: command({
    description:
      'Deploys the contract of a new rollup with its verifiers, and prints the options of the operator as JSON.',
    options: deployOptions,
    run: deploy,
  }),
  rebuild: command({
    description:
      'Fills an empty or older database of an operator from the chain and the key file of the operator, and prints what it holds then as JSON. No batcher may be at work on the database.',
    options: rebuildOptions,
    run: rebuild,
  }),
  'new-key': command({
    description:
      'Creates the key of an operator, to which account holders encrypt, and prints the public key as JSON.',
    options: newKeyOptions,
    run: newKey,
  }),
};

export type CommandName = keyof typeof COMMANDS;

/** What people can mend. */
const EXPECTED = [OperatorError, KeystoreError, ArtifactError, ChainRpcError, ChainUnavailableError];

/** Runs a command with the words after its name. Out: the exit code */
export async function runCommand(
  name: CommandName,
  argv: readonly string[],
  version: string,
): Promise<number> {
  const { description, options, run } = COMMANDS[name];
  try {
    const commandLine = parseCommandLine(argv, options);
    if (commandLine.wants === 'version') return say(version);
    if (commandLine.wants === 'help') {
      const usage = `rollup-operator ${name} [options]`;
      return say(formatHelp({ name: 'rollup-operator', description, options, usage }).trimEnd());
    }
    const { env: environment } = process;
    const config = loadConfig({
      ...{ service: 'rollup-operator', options, otherOptions: operatorOptions },
      ...{ commandLine, environment },
    });
    return say(JSON.stringify(await run(config)));
  } catch (error) {
    return report(name, error);
  }
}

/** Erases the type of its options, so that one table can hold commands with different ones. */
function command<Table extends OptionTable>(definition: Command<Table>): Command<OptionTable> {
  return definition as unknown as Command<OptionTable>;
}

function say(text: string): number {
  process.stdout.write(`${text}\n`);
  return EXIT.done;
}

/** One line for an error that the user can fix; an unexpected error is printed with its stack. */
function report(name: CommandName, error: unknown): number {
  const isExpected = EXPECTED.some((type) => error instanceof type);
  const { message, stack } = error as Error;
  const text = isExpected || error instanceof OptionError ? message : (stack ?? message);
  process.stderr.write(`tetrad rollup-operator ${name}: ${text}\n`);
  return error instanceof OptionError ? EXIT.badOptions : EXIT.failed;
}
