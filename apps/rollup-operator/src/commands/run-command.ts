import { KeystoreError } from '@tetrad/keystore';
import { CircuitError } from '@tetrad/rollup-circuits';
import { ChainRpcError, ChainUnavailableError, ArtifactError } from '@tetrad/rollup-chain';
import { COMMAND_EXIT, runCommand as runWith, type ConfigOf, type OptionTable } from '@tetrad/service';
import { OperatorError } from '@tetrad/types';
import { operatorOptions } from '../config.js';
import { announceKey, announceKeyOptions } from './announce-key.js';
import { buildSizes, buildSizesOptions } from './build-sizes.js';
import {
  acceptOperator,
  acceptOperatorOptions,
  proposeOperator,
  proposeOperatorOptions,
} from './change-operator.js';
import { deploy, deployOptions } from './deploy.js';
import { fetchPointsCommand, fetchPointsOptions } from './fetch-points.js';
import { newKey, newKeyOptions } from './new-key.js';
import { rebuild, rebuildOptions } from './rebuild.js';
import { signSuccessor, signSuccessorOptions } from './sign-successor.js';

interface Command<Table extends OptionTable> {
  readonly description: string;
  readonly options: Table;
  /** @returns what is printed as JSON */
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
  'fetch-points': command({
    description:
      'Takes the proving points that batches of a size need from a file or URL, checks that they are those of the ceremony, and prints their folder as JSON.',
    options: fetchPointsOptions,
    run: fetchPointsCommand,
  }),
  'build-sizes': command({
    description:
      'Builds circuits, keys and verifiers of further sizes of batches in a checkout, with points of the ceremony, and prints what is there as JSON.',
    options: buildSizesOptions,
    run: buildSizes,
  }),
  'announce-key': command({
    description:
      'Announces another key of the operator on the contract, to which account holders encrypt from then on, and prints it as JSON. The operator is then started with it, and with the present one among --former-operator-key-files.',
    options: announceKeyOptions,
    run: announceKey,
  }),
  'propose-operator': command({
    description:
      'Names the Ethereum account that may become the operator of the contract, from the one that is, and prints both as JSON. The account takes over by accept-operator.',
    options: proposeOperatorOptions,
    run: proposeOperator,
  }),
  'accept-operator': command({
    description:
      'Takes over as the operator of the contract, from the account that was proposed, and prints it as JSON. Batches of the operator before are refused from then on.',
    options: acceptOperatorOptions,
    run: acceptOperator,
  }),
  'sign-successor': command({
    description:
      'Signs a statement that another contract follows the rollup, from the account that is the operator of the contract, and prints it as JSON. Account holders give it to ./tetrad rollup move --statement.',
    options: signSuccessorOptions,
    run: signSuccessor,
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
const EXPECTED = [
  OperatorError,
  KeystoreError,
  ArtifactError,
  CircuitError,
  ChainRpcError,
  ChainUnavailableError,
];

/**
 * Runs a command with the words after its name.
 * @returns the exit code
 */
export function runCommand(name: CommandName, argv: readonly string[], version: string): Promise<number> {
  const { description: summary, options, run } = COMMANDS[name];
  const terminal = {
    say: (line: string) => void process.stdout.write(`${line}\n`),
    warn: (line: string) => void process.stderr.write(`tetrad rollup-operator ${name}: ${line}\n`),
  };
  const program = {
    name: 'rollup-operator',
    service: 'rollup-operator',
    version,
    terminal,
    exitCodeOf,
    otherOptions: operatorOptions,
    environment: process.env,
  };
  const shape = { name, usage: '[options]', words: [0, 0] as const, summary, options };
  return runWith(shape, argv, program, async ({ config }) => terminal.say(JSON.stringify(await run(config))));
}

function exitCodeOf(error: unknown): number | undefined {
  return EXPECTED.some((kind) => error instanceof kind) ? COMMAND_EXIT.failed : undefined;
}

/** Erases the type of its options, so that one table can hold commands with different ones. */
function command<Table extends OptionTable>(definition: Command<Table>): Command<OptionTable> {
  return definition as unknown as Command<OptionTable>;
}
