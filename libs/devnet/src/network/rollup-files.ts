import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeWhole } from '@tetrad/files';
import { parseAddress, type Address } from '@tetrad/types';
import { z } from 'zod';
import { serviceMain } from '../paths.js';
import { makeAccount } from './node-files.js';
import { tryAgain } from './try-again.js';

/** Batches of two are the maximum of the proving points in the repository. */
export const BATCH_SIZE = 2;

/** The parameters of a rollup; stored, so that a network that resumes uses the same one. */
const rollupSchema = z.object({
  chainId: z.int(),
  contract: z.string().transform(parseAddress),
  contractBlock: z.int(),
  operatorKey: z.string(),
  operatorKeyFile: z.string(),
  submitterKeyFile: z.string(),
});
export type RollupFiles = z.output<typeof rollupSchema>;

export interface RollupPlace {
  readonly folder: string;
  /** JSON-RPC of the Ethereum client on whose chain the contract is. */
  readonly chainUrl: string;
  /** Contains the password of the created keys. */
  readonly passwordFile: string;
  /** After how long others may do what the operator does not; the default of the operator's command without it. */
  readonly stallTimeoutSeconds?: number | undefined;
  /** Lets an account transact, before the contract is deployed from it; absent where all accounts may. */
  readonly enrol?: ((account: Address) => Promise<void>) | undefined;
  readonly onProgress?: ((what: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The rollup of a folder; the first time its keys are created and its contract is deployed. After an interruption the
 * next start creates new ones; nothing refers to the old ones.
 * @throws Error with the message of the operator's command; with the reason of the signal
 */
export async function prepareRollupFiles(place: RollupPlace): Promise<RollupFiles> {
  const { folder, onProgress } = place;
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'rollup.json');
  const text = await readFile(file, 'utf8').catch(ignoreMissing);
  if (text !== undefined) return rollupSchema.parse(JSON.parse(text));
  onProgress?.('deploying the contract of the rollup');
  const rollup = await tryAgain('the deployment', () => makeRollup(place), {
    onProgress: onProgress ?? (() => undefined),
    signal: place.signal,
  });
  await writeWhole(file, `${JSON.stringify(rollup, null, 2)}\n`, 0o600);
  return rollup;
}

/** The options that name the Ethereum client to the operator's program. */
export function chainArguments({ chainUrl, passwordFile }: RollupPlace, submitterKeyFile: string): string[] {
  return [
    '--chain-url',
    chainUrl,
    '--submitter-key-file',
    submitterKeyFile,
    '--submitter-password-file',
    passwordFile,
  ];
}

async function makeRollup(place: RollupPlace): Promise<RollupFiles> {
  const { stallTimeoutSeconds } = place;
  const { path: submitterKeyFile, address } = await makeAccount(
    place.folder,
    'submitter',
    place.passwordFile,
  );
  await place.enrol?.(address);
  const operatorKeyFile = join(place.folder, `operator-key-${Date.now()}`);
  const keyWords = ['new-key', '--key-file', operatorKeyFile, '--password-file', place.passwordFile];
  const { operatorKey } = z.object({ operatorKey: z.string() }).parse(await operatorCommand(keyWords, place));
  const deployWords = [
    'deploy',
    ...chainArguments(place, submitterKeyFile),
    '--operator-key',
    operatorKey,
    '--batch-sizes',
    String(BATCH_SIZE),
    // A trial: a machine that is busy when it starts does not keep it from starting.
    '--speed-check',
    'none',
    ...(stallTimeoutSeconds === undefined ? [] : ['--stall-timeout', String(stallTimeoutSeconds)]),
  ];
  const deployed = z
    .object({ chainId: z.int(), contract: z.string(), contractBlock: z.int() })
    .parse(await operatorCommand(deployWords, place));
  return rollupSchema.parse({ ...deployed, operatorKey, operatorKeyFile, submitterKeyFile });
}

/** @returns the JSON that it prints */
async function operatorCommand(words: readonly string[], { signal }: RollupPlace): Promise<unknown> {
  const main = serviceMain('rollup-operator');
  try {
    const options = signal === undefined ? {} : { signal };
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...words], options);
    return JSON.parse(stdout);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}
