import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '@tetrad/devnet';
import { freePorts, startChildService, type ChildService } from '@tetrad/testkit';
import { callRpc } from './call-rpc.js';
import { runBuilt } from './cases/measuring-program.js';

/** Key of the chain's one validator. */
export const VALIDATOR_KEY = '42'.repeat(32);
/** Long enough for a chain of any size on a busy machine. */
const READY_MS = 4 * 3_600_000;

/** What the chain has, as `test/speed/large-chain.ts` of the node says. */
export interface ChainSize {
  readonly blocks: number;
  readonly accounts: number;
  readonly contracts: number;
  /** Slots of each contract. */
  readonly slots: number;
  /** Transactions of each block. */
  readonly transactions: number;
}

/** A chain that was written straight into a database, and its genesis file. */
export interface WrittenChain {
  readonly folder: string;
  readonly url: string;
  readonly genesisFile: string;
}

/**
 * Writes the chain into a new database.
 * @param into - the file is written too
 */
export async function writeChain(into: WrittenChain, size: ChainSize): Promise<WrittenChain> {
  const app = join(ROOT, 'apps/node');
  process.stderr.write(`  writing a chain: ${JSON.stringify(size)}\n`);
  await runBuilt({
    entry: join(app, 'test/speed/write-chain.ts'),
    program: join(app, 'dist/speed/write-chain.js'),
    words: [into.url, into.genesisFile, JSON.stringify(size)],
  });
  return into;
}

/** A node of the chain in a process of its own. */
export interface NodeOnChain {
  readonly url: string;
  readonly process: ChildService;
}

/** Starts a node with the database; it is there once it answers. */
export async function startOnChain(
  { folder, genesisFile }: WrittenChain,
  databaseUrl: string,
  { name, key, flags }: { readonly name: string; readonly key: string; readonly flags: readonly string[] },
): Promise<NodeOnChain> {
  const keyFile = join(folder, `${name}.key`);
  await writeFile(keyFile, key);
  const port = await freePorts(3);
  const url = `http://127.0.0.1:${port}`;
  const values = {
    '--data-dir': join(folder, name),
    '--genesis-file': genesisFile,
    '--node-key-file': keyFile,
    '--http-listen-port': port,
    '--ops-listen-port': port + 1,
    '--peer-listen-port': port + 2,
    '--http-api': 'eth,admin',
    '--migrate': 'true',
  };
  const process = await startChildService({
    name,
    command: globalThis.process.execPath,
    args: [
      join(ROOT, 'apps/node/bundle/main.js'),
      ...Object.entries(values).flatMap(([flag, value]) => [flag, String(value)]),
      ...flags,
    ],
    logFile: join(folder, `${name}.log`),
    environment: { NODE_OPTIONS: '', TETRAD_NODE_DATABASE_URL: databaseUrl },
    readyTimeoutMs: READY_MS,
    isReady: async () => (await heightOf(url)) !== undefined,
  });
  return { url, process };
}

/** @returns undefined before the node serves clients */
export async function heightOf(url: string): Promise<number | undefined> {
  return callRpc(url, 'eth_blockNumber', []).then(Number, () => undefined);
}
