import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { bftRules } from '@tetrad/node-consensus-bft';
import { defaultGenesis } from '@tetrad/node-execution';
import { createTestDatabase, freePort, isServiceReady, type DevelopmentAccount } from '@tetrad/testkit';
import { hexFromBytes } from '@tetrad/types';

const MAIN = join(import.meta.dirname, '../bundle/main.js');

/** Everything that a node process needs on the disk and in PostgreSQL. */
export interface NodeHome {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly url: string;
  readonly opsUrl: string;
  /** The arguments with those that a node of this home has besides. */
  argumentsWith(args: readonly string[]): string[];
  /** Starts the built node and waits until it is ready. */
  start(args?: readonly string[]): Promise<NodeProcess>;
  /**
   * Starts the built node, and kills it as soon as it has printed the text.
   * @throws Error when it ends before
   */
  killAt(text: string, args?: readonly string[]): Promise<void>;
  /**
   * Starts the built node, and kills it after the time.
   * @throws Error when it ends before
   */
  killAfter(delayMs: number, args?: readonly string[]): Promise<void>;
  /** Runs the built node with options of its own only. */
  runPlain(args: readonly string[], environment?: Readonly<Record<string, string>>): Promise<Finished>;
  /** Runs the built node, or a command of it, to its end. */
  run(args?: readonly string[], environment?: Readonly<Record<string, string>>): Promise<Finished>;
  remove(): Promise<void>;
}

export interface NodeProcess {
  readonly pid: number;
  readonly kill: () => Promise<void>;
  readonly stop: () => Promise<number | null>;
  /** What it has printed, once it has ended. */
  readonly finished: Promise<Finished>;
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export async function createNodeHome(owners: readonly DevelopmentAccount[]): Promise<NodeHome> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-process-'));
  const database = await createTestDatabase('node');
  const [port, opsPort] = [await freePort(), await freePort()];
  const opsUrl = `http://127.0.0.1:${opsPort}`;
  const key = Buffer.alloc(32, 0x42);
  const genesis = defaultGenesis({
    chainId: 1337,
    engine: 'qbft',
    blockPeriodMs: 100,
    extraData: hexFromBytes(bftRules('qbft').genesisExtraData([addressFromPrivateKey(key)])),
    balances: new Map(owners.map(({ address }) => [address, 10n ** 24n])),
  });
  await writeFile(join(folder, 'genesis.json'), JSON.stringify(genesis));
  await writeFile(join(folder, 'nodekey'), key.toString('hex'));
  await mkdir(join(folder, 'keystore'));
  const usual = new Map([
    ['--data-dir', folder],
    ['--genesis-file', join(folder, 'genesis.json')],
    ['--node-key-file', join(folder, 'nodekey')],
    ['--http-listen-port', String(port)],
    ['--ops-listen-port', String(opsPort)],
    ['--peer-listen-port', '0'],
    ['--log-level', 'warn'],
  ]);
  const argumentsWith = (args: readonly string[]) => [
    ...[...usual].filter(([flag]) => !args.includes(flag)).flat(),
    ...args,
  ];
  const launch = (given: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
    const command = given[0]?.startsWith('-') === false ? given.slice(0, 1) : [];
    return spawn(process.execPath, [MAIN, ...command, ...argumentsWith(given.slice(command.length))], {
      env: { ...process.env, NODE_OPTIONS: '', TETRAD_NODE_DATABASE_URL: database.url, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  };
  return {
    folder,
    databaseUrl: database.url,
    url: `http://127.0.0.1:${port}`,
    argumentsWith,
    run: (args = [], environment) => finish(launch(args, environment)),
    opsUrl,
    runPlain: (args, environment = {}) =>
      finish(
        spawn(process.execPath, [MAIN, ...args], {
          env: { ...process.env, NODE_OPTIONS: '', ...environment },
          stdio: ['ignore', 'pipe', 'pipe'],
        }),
      ),
    async start(args = []) {
      const child = launch(args);
      const finished = finish(child);
      await untilReady(child, { opsUrl, finished });
      const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
        child.kill(signal);
        return (await finished).code;
      };
      const pid = child.pid ?? 0;
      return { pid, kill: async () => void (await end('SIGKILL')), stop: () => end('SIGTERM'), finished };
    },
    async killAt(text, args = []) {
      const child = launch(args);
      let printed = '';
      const look = (chunk: Buffer) => {
        printed += chunk.toString();
        if (printed.includes(text)) child.kill('SIGKILL');
      };
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      await finish(child);
      if (child.signalCode !== 'SIGKILL') throw new Error(`the node ended: ${printed}`);
    },
    async killAfter(delayMs, args = []) {
      const child = launch(args);
      const timer = setTimeout(() => child.kill('SIGKILL'), delayMs);
      const { stdout, stderr } = await finish(child);
      clearTimeout(timer);
      if (child.signalCode !== 'SIGKILL') throw new Error(`the node ended: ${stdout}${stderr}`);
    },
    async remove() {
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function finish(child: ChildProcess): Promise<Finished> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((done) => child.once('close', (code) => done({ code, stdout, stderr })));
}

async function untilReady(
  child: ChildProcess,
  { opsUrl, finished }: { opsUrl: string; finished: Promise<Finished> },
): Promise<void> {
  while (!(await isServiceReady(opsUrl).catch(() => false))) {
    if (child.exitCode !== null) throw new Error(`the node ended: ${(await finished).stderr}`);
    await new Promise((tick) => setTimeout(tick, 30));
  }
}
