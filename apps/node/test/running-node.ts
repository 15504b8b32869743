import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { writeKeyFile } from '@tetrad/keystore';
import { bftRules } from '@tetrad/node-consensus-bft';
import { defaultGenesis } from '@tetrad/node-execution';
import { createMetrics, loadConfig, parseCommandLine } from '@tetrad/service';
import {
  createTestDatabase,
  developmentAccounts,
  type DevelopmentAccount,
  type TestDatabase,
} from '@tetrad/testkit';
import { hexFromBytes, silentLogger, type Address, type Logger } from '@tetrad/types';
import { composeNode } from '../src/compose.js';
import { nodeOptions } from '../src/options/config.js';

export const CHAIN_ID = 1337;
const FUNDS = 10n ** 24n;

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: { readonly reason?: string; readonly field?: string } | string;
}

export interface RpcAnswer {
  readonly result?: unknown;
  readonly error?: RpcError;
}

/** A node in this process, on a database of its own, with real ports. */
export interface RunningNode {
  readonly url: string;
  readonly webSocketUrl: string;
  /** URL of the operations port. */
  readonly opsUrl: string;
  readonly databaseUrl: string;
  /** Data folder. */
  readonly folder: string;
  /** Accounts whose keys the node holds, funded. */
  readonly accounts: readonly Address[];
  /** Funded accounts whose keys only the test holds. */
  readonly owners: readonly DevelopmentAccount[];
  call(method: string, params?: readonly unknown[]): Promise<RpcAnswer>;
  /** The result of a call that must succeed. */
  result<T>(method: string, params?: readonly unknown[]): Promise<T>;
  /** The receipt of a transaction, once it is mined. */
  mined(
    hash: string,
  ): Promise<
    Readonly<Record<string, unknown>> & { blockNumber: string; contractAddress: string; status: string }
  >;
  stop(): Promise<void>;
}

/** What of a node is not as usual. */
export interface NodeSetup {
  /** Content of the genesis file; by default a chain whose only validator is the node. */
  readonly genesis?: object;
  /** Seconds between blocks without transactions, of the usual chain; its block period without it. */
  readonly emptyBlockPeriodSeconds?: number;
  readonly nodeKey?: Uint8Array;
  /** A node key that signs elsewhere, in place of that: its address, and the TOML file that names it. */
  readonly remoteKey?: { readonly address: Address; readonly fileName: string; readonly text: string };
  readonly logger?: Logger;
  /** Exposed modules, comma-separated. */
  readonly modules?: string;
  /** How many accounts the node holds keys of; 3 by default. */
  readonly accounts?: number;
  /** Accounts whose keys the node holds, in place of those. */
  readonly held?: readonly DevelopmentAccount[];
  /** More files of the data folder: name → content. */
  readonly files?: Readonly<Record<string, string>>;
  /** A database that exists, in place of a new one; it is dropped when the node stops. */
  readonly database?: TestDatabase;
  /** Fills the database before the node is started. */
  readonly prepare?: (databaseUrl: string) => Promise<void>;
}

/** Calls take long on a busy machine. */
const PATIENCE = ['--rpc-execution-timeout', '--rpc-request-timeout'];

function patience(flags: readonly string[]): string[] {
  return PATIENCE.filter((flag) => !flags.includes(flag)).flatMap((flag) => [flag, '10m']);
}

/** Starts a node; `flags` are added to its command line. */
export async function startNode(flags: readonly string[] = [], setup: NodeSetup = {}): Promise<RunningNode> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-node-'));
  const database = setup.database ?? (await createTestDatabase('node'));
  const owners = developmentAccounts(4, 'owner');
  const held = setup.held ?? developmentAccounts(setup.accounts ?? 3, 'held');
  await setup.prepare?.(database.url);
  const files = await writeFiles(folder, { owners, ...setup, held });
  const commandLine = parseCommandLine(
    [
      '--data-dir',
      folder,
      '--genesis-file',
      files.genesis,
      '--node-key-file',
      files.nodeKey,
      '--keystore-dir',
      join(folder, 'keystore'),
      '--keystore-password-file',
      files.password,
      '--http-listen-port',
      '0',
      '--ops-listen-port',
      '0',
      ...(flags.includes('--peer-listen-port') ? [] : ['--peer-listen-port', '0']),
      '--http-api',
      setup.modules ?? 'eth,net,web3,txpool,rpc,debug,trace,ots,erigon,explorer,admin,ibft',
      ...flags,
      ...patience(flags),
    ],
    nodeOptions,
  );
  const environment = { TETRAD_NODE_DATABASE_URL: database.url };
  const config = loadConfig({ service: 'node', options: nodeOptions, commandLine, environment });
  const metrics = createMetrics({ service: 'node', version: '0.0.0' });
  const service = await composeNode(config, {
    name: 'node',
    version: '0.0.0',
    logger: setup.logger ?? silentLogger,
    metrics,
    tracing: undefined,
  });
  const call = (method: string, params: readonly unknown[] = []) => post(service.url, method, params);
  return {
    url: service.url,
    webSocketUrl: service.url.replace('http', 'ws'),
    opsUrl: service.opsUrl,
    databaseUrl: database.url,
    folder,
    accounts: held.map(({ address }) => address).sort(),
    owners,
    call,
    async result<T>(method: string, params?: readonly unknown[]) {
      const { result, error } = await call(method, params);
      if (error !== undefined) throw new Error(`${method}: ${error.message}`);
      return result as T;
    },
    mined: (hash) => waitForReceipt(call, hash),
    async stop() {
      await service.stop();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function writeFiles(
  folder: string,
  setup: NodeSetup & { owners: readonly DevelopmentAccount[]; held: readonly DevelopmentAccount[] },
): Promise<{ genesis: string; nodeKey: string; password: string }> {
  const { owners, held } = setup;
  const { remoteKey } = setup;
  const validatorKey = Buffer.alloc(32, 0x42);
  const validator = remoteKey?.address ?? addressFromPrivateKey(validatorKey);
  const usual = defaultGenesis({
    chainId: CHAIN_ID,
    engine: 'qbft',
    blockPeriodMs: 100,
    emptyBlockPeriodSeconds: setup.emptyBlockPeriodSeconds,
    extraData: hexFromBytes(bftRules('qbft').genesisExtraData([validator])),
    balances: new Map([...owners, ...held].map(({ address }) => [address, FUNDS])),
  });
  const paths = {
    genesis: join(folder, 'genesis.json'),
    nodeKey: join(folder, remoteKey?.fileName ?? 'nodekey'),
    password: join(folder, 'password'),
  };
  await writeFile(paths.genesis, JSON.stringify(setup.genesis ?? usual));
  await writeFile(
    paths.nodeKey,
    remoteKey?.text ?? Buffer.from(setup.nodeKey ?? validatorKey).toString('hex'),
  );
  await writeFile(paths.password, 'secret');
  await mkdir(join(folder, 'keystore'));
  for (const [name, text] of Object.entries(setup.files ?? {})) await writeFile(join(folder, name), text);
  for (const [index, { privateKey }] of held.entries()) {
    await writeKeyFile(join(folder, 'keystore'), {
      privateKey,
      password: 'secret',
      name: `key-${index}`,
      scryptN: 1024,
    });
  }
  return paths;
}

export async function post(url: string, method: string, params: readonly unknown[]): Promise<RpcAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await response.json()) as RpcAnswer;
}

/** How long a node may answer with errors, or not at all, while it does other work. */
const NO_RECEIPT_MS = 120_000;

/**
 * Waits for a receipt. A node that is short of processor time refuses a question, or closes the connection without an answer: it is
 * asked again.
 * @throws Error of the last answer, when there has been no other for two minutes
 */
async function waitForReceipt(call: RunningNode['call'], hash: string): ReturnType<RunningNode['mined']> {
  let answeredAt = Date.now();
  for (;;) {
    const { result, error } = await call('eth_getTransactionReceipt', [hash]).catch(
      ({ message }: Error): RpcAnswer => ({ error: { code: 0, message } }),
    );
    if (error === undefined) {
      if (result !== null) return result as Awaited<ReturnType<RunningNode['mined']>>;
      answeredAt = Date.now();
    } else if (Date.now() - answeredAt > NO_RECEIPT_MS) throw new Error(error.message);
    await new Promise((tick) => setTimeout(tick, 20));
  }
}

/** What `expect` sees of a rejection. */
export function reasonOf({ error }: RpcAnswer): string | undefined {
  return typeof error?.data === 'object' ? error.data.reason : undefined;
}
