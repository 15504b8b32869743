import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDatabase } from '@tetrad/db';
import { writeWhole } from '@tetrad/files';
import { isServiceReady, startChildService, type ChildService } from '@tetrad/testkit';
import { parseAddress, type Address } from '@tetrad/types';
import { z } from 'zod';
import { ROLLUP_CLIENT, serviceMain } from '../paths.js';
import { makeAccount } from './node-files.js';

export interface RollupOperatorLaunch {
  readonly dataDir: string;
  /** URL of the server on which the operator gets a database of its own. */
  readonly serverUrl: string;
  /** Of that database, when it is not the usual one. */
  readonly databaseName?: string;
  /** JSON-RPC of the Ethereum client on whose chain the contract is. */
  readonly chainUrl: string;
  /** Holds the password of the keys that are made. */
  readonly passwordFile: string;
  readonly port: number;
  readonly opsPort: number;
  readonly signal?: AbortSignal | undefined;
  /** Told when it ends although nobody asked it to. */
  readonly onEnded?: ((how: string) => void) | undefined;
}

/** A rollup operator with the rollup that it serves, and what account holders' commands need to use it. */
export interface LaunchedRollupOperator {
  readonly child: ChildService;
  readonly rpc: string;
  readonly contract: Address;
  /** Public key that account holders encrypt to; 64 bytes as hex. */
  readonly operatorKey: string;
  /** Of its rows. */
  readonly databaseUrl: string;
  /** Runs `rollup` commands against this operator and its contract. */
  readonly command: {
    readonly main: string;
    readonly environment: Readonly<Record<string, string>>;
  };
}

/** What a rollup was made as; kept, so that a network that resumes has the same one. */
const rollupSchema = z.object({
  chainId: z.int(),
  contract: z.string().transform(parseAddress),
  contractBlock: z.int(),
  operatorKey: z.string(),
  operatorKeyFile: z.string(),
  submitterKeyFile: z.string(),
});
type Rollup = z.output<typeof rollupSchema>;

/** Batches of two are what the proving points in the repository allow. */
const BATCH_SIZE = 2;
/** A development network waits less than the default for a batch to fill. */
const BATCH_INTERVAL = '1s';

/** Starts a rollup operator on its database; at the first start its keys and its contract are made. */
export async function launchRollupOperator(launch: RollupOperatorLaunch): Promise<LaunchedRollupOperator> {
  const folder = join(launch.dataDir, 'rollup-operator');
  await mkdir(folder, { recursive: true });
  const rollup = (await readRollup(folder)) ?? (await makeRollup(folder, launch));
  const databaseUrl = await createDatabase(launch.serverUrl, launch.databaseName ?? 'tetrad_rollup_operator');
  const child = await startChildService({
    name: 'rollup operator',
    command: process.execPath,
    // The folder also tells whose process it is.
    args: [...serviceArguments(rollup, launch), '--data-dir', `${folder}/`],
    environment: { TETRAD_ROLLUP_OPERATOR_DATABASE_URL: databaseUrl },
    logFile: join(launch.dataDir, 'rollup-operator.log'),
    isReady: (pid) => isServiceReady(`http://127.0.0.1:${launch.opsPort}`, pid),
    signal: launch.signal,
    onEnded: launch.onEnded,
  });
  const rpc = `http://127.0.0.1:${launch.port}`;
  const { contract, operatorKey } = rollup;
  const command = clientCommand(rollup, launch.chainUrl, rpc);
  return { child, rpc, contract, operatorKey, databaseUrl, command };
}

function serviceArguments(rollup: Rollup, launch: RollupOperatorLaunch): string[] {
  const { chainId, contract, contractBlock, operatorKey, operatorKeyFile } = rollup;
  return [
    ...[serviceMain('rollup-operator'), '--migrate', '--chain-id', String(chainId)],
    ...['--contract', contract, '--contract-block', String(contractBlock), '--operator-key', operatorKey],
    ...['--operator-key-file', operatorKeyFile, '--operator-key-password-file', launch.passwordFile],
    ...['--batch-size', String(BATCH_SIZE), '--batch-interval', BATCH_INTERVAL],
    ...chainArguments(launch, rollup.submitterKeyFile),
    ...['--http-listen-port', String(launch.port), '--ops-listen-port', String(launch.opsPort)],
  ];
}

function chainArguments({ chainUrl, passwordFile }: RollupOperatorLaunch, keyFile: string): string[] {
  return [
    ...['--chain-url', chainUrl, '--submitter-key-file', keyFile],
    ...['--submitter-password-file', passwordFile],
  ];
}

function clientCommand(
  { contract, contractBlock }: Rollup,
  chainUrl: string,
  operatorUrl: string,
): LaunchedRollupOperator['command'] {
  return {
    main: ROLLUP_CLIENT,
    environment: {
      TETRAD_ROLLUP_CLIENT_CHAIN_URL: chainUrl,
      TETRAD_ROLLUP_CLIENT_CONTRACT: contract,
      TETRAD_ROLLUP_CLIENT_FROM_BLOCK: String(contractBlock),
      TETRAD_ROLLUP_CLIENT_OPERATOR_URL: operatorUrl,
    },
  };
}

const rollupFile = (folder: string) => join(folder, 'rollup.json');

async function readRollup(folder: string): Promise<Rollup | undefined> {
  const text = await readFile(rollupFile(folder), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : rollupSchema.parse(JSON.parse(text));
}

/** Makes keys and contract. Interrupted before the end, the next start makes others: nobody knows of these. */
async function makeRollup(folder: string, launch: RollupOperatorLaunch): Promise<Rollup> {
  const { path: submitterKeyFile } = await makeAccount(folder, 'submitter');
  const operatorKeyFile = join(folder, `operator-key-${Date.now()}`);
  const key = z.object({ operatorKey: z.string() });
  const { operatorKey } = key.parse(
    await operatorCommand(
      'new-key',
      ['--key-file', operatorKeyFile, '--password-file', launch.passwordFile],
      launch,
    ),
  );
  const deployed = z
    .object({ chainId: z.int(), contract: z.string(), contractBlock: z.int() })
    .parse(
      await operatorCommand(
        'deploy',
        [
          ...[...chainArguments(launch, submitterKeyFile), '--operator-key', operatorKey],
          ...['--batch-sizes', String(BATCH_SIZE)],
        ],
        launch,
      ),
    );
  const rollup = { ...deployed, operatorKey, operatorKeyFile, submitterKeyFile };
  await writeWhole(rollupFile(folder), `${JSON.stringify(rollup, null, 2)}\n`, 0o600);
  return rollupSchema.parse(rollup);
}

/** Out: the JSON that it prints. Fails: Error with what it says */
async function operatorCommand(
  name: string,
  args: readonly string[],
  { signal }: RollupOperatorLaunch,
): Promise<unknown> {
  const main = serviceMain('rollup-operator');
  const { stdout } = await promisify(execFile)(process.execPath, [main, name, ...args], {
    ...(signal === undefined ? {} : { signal }),
  });
  return JSON.parse(stdout);
}
