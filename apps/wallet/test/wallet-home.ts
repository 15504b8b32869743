import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { connectDatabase } from '@tetrad/db';
import {
  createTestDatabase,
  freePort,
  isServiceReady,
  startChildService,
  type ChildService,
} from '@tetrad/testkit';
import { openWalletStore, openKeySealer } from '@tetrad/wallet-store';
import { commands } from '../src/commands/commands.js';
import { runCommand } from '../src/commands/run-command.js';
import { openTerminal } from '../src/commands/terminal.js';
import { PASSPHRASE, SCRYPT_COST } from './running-wallet.js';

export const MAIN = join(import.meta.dirname, '../bundle/main.js');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Input typed at a terminal. */
export interface Spoken {
  readonly typed: string;
}

/** Everything that wallet processes need on the disk and in PostgreSQL. */
export interface WalletHome {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly url: string;
  readonly logFile: string;
  /** Runs a command in this process, with what is said to it. */
  run(args: readonly string[], input?: string | Spoken): Promise<Ended>;
  /** Runs the built wallet to its end. */
  runProcess(args: readonly string[], input?: string): Promise<Ended>;
  /**
   * Writes a file into the folder.
   * @returns its path
   */
  file(name: string, text: string): Promise<string>;
  /** Starts the built wallet and waits until it is ready. */
  serve(flags?: readonly string[]): Promise<ChildService>;
  remove(): Promise<void>;
}

export async function createWalletHome(): Promise<WalletHome> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-wallet-home-'));
  const testDatabase = await createTestDatabase('wallet');
  await makeKeySealer(testDatabase.url);
  const [port, opsPort] = [await freePort(), await freePort()];
  const file = async (name: string, text: string) => {
    await writeFile(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const environment = {
    NODE_OPTIONS: '',
    TETRAD_WALLET_DATABASE_URL: testDatabase.url,
    TETRAD_WALLET_PASSPHRASE_FILE: await file('passphrase', `${PASSPHRASE}\nnot this line\n`),
  };
  const logFile = join(folder, 'wallet.log');
  return {
    folder,
    databaseUrl: testDatabase.url,
    url: `http://127.0.0.1:${port}/rpc/v1/coin`,
    logFile,
    run: (args, input = '') => runHere(args, environment, input),
    runProcess: (args, input) => runWallet(args, environment, input),
    file,
    serve: (flags = []) =>
      startChildService({
        name: 'wallet',
        command: process.execPath,
        args: [
          MAIN,
          'serve',
          '--http-listen-port',
          String(port),
          '--ops-listen-port',
          String(opsPort),
          '--log-level',
          'debug',
          '--signing-workers',
          '1',
          ...flags,
        ],
        environment,
        logFile,
        isReady: () => isServiceReady(`http://127.0.0.1:${opsPort}`),
      }),
    async remove() {
      await testDatabase.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** With a passphrase that is cheap to check: every command does. */
async function makeKeySealer(url: string): Promise<void> {
  const database = await connectDatabase({ url, poolSize: 1 });
  const store = openWalletStore(database);
  await openKeySealer(store, PASSPHRASE, SCRYPT_COST);
  await database.close();
}

/** Runs the built wallet as a separate process. */
export function runWallet(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  input = '',
): Promise<Ended> {
  const env = { ...process.env, NODE_OPTIONS: '', ...environment };
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => done({ code, stdout: stdout.trim(), stderr: stderr.trim() }));
  });
}

/** As `main.ts` runs a command, without the second that a process takes to start. */
export async function runHere(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  input: string | Spoken,
): Promise<Ended> {
  const found = commands.find(args);
  if (found === undefined) throw new Error(`no command: ${args.join(' ')}`);
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end(typeof input === 'string' ? input : input.typed);
  const streams = {
    input: Object.assign(stdin, { isTTY: typeof input !== 'string' }),
    output: stdout,
    errors: stderr,
  };
  const code = await runCommand(found.command, found.rest, { terminal: openTerminal(streams), environment });
  const textOf = (stream: PassThrough) => ((stream.read() as Buffer | null) ?? '').toString().trim();
  return { code, stdout: textOf(stdout), stderr: textOf(stderr) };
}
