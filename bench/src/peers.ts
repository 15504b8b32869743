import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  PORTS_PER_NODE,
  ROOT,
  freePorts,
  parseNetworkOptions,
  startNetwork,
  type Network,
} from '@tetrad/devnet';
import { freePort, startChildService } from '@tetrad/testkit';
import { callRpc } from './call-rpc.js';

/** A JSON-RPC server in a separate process. */
export interface Peer {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface BenchNode extends Peer {
  readonly opsUrl: string;
  readonly network: Network;
  readonly folder: string;
}

/** Gas limit of blocks, the same for all peers; no load here fills it. */
export const BLOCK_GAS = 300_000_000;
export const CHAIN_ID = 1337n;

/** So many ports in a row are given to one caller at most. */
const MAX_ASSIGNED_PORTS = 199;
/** First port of a network that needs more: above those that are assigned, and below those of outgoing connections. */
const LARGE_BASE = 30_100;

export interface BenchNodeOptions {
  readonly blockPeriodMs?: number;
  readonly nodes?: number;
  readonly services?: string;
  /** Further options of `up`. */
  readonly words?: readonly string[];
}

/**
 * Our nodes with an embedded PostgreSQL, all of them validators unless options say otherwise; requests go to the
 * first, as `./tetrad up` starts it.
 */
export async function startNode({
  blockPeriodMs = 1000,
  nodes = 1,
  services = 'node',
  words = [],
}: BenchNodeOptions = {}): Promise<BenchNode> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-bench-'));
  // One more node may join.
  const ports = (nodes + 1) * PORTS_PER_NODE;
  const base = ports > MAX_ASSIGNED_PORTS ? LARGE_BASE : await freePorts(ports);
  const options = [
    '--data-dir',
    folder,
    '--services',
    services,
    '--nodes',
    String(nodes),
    '--port-base',
    String(base),
  ];
  const network = await startNetwork(
    parseNetworkOptions([...options, '--block-period', String(blockPeriodMs), ...words]),
  );
  const node = network.endpoints.nodes[0] as Network['endpoints']['nodes'][number];
  return {
    url: node.rpc,
    opsUrl: `http://127.0.0.1:${base + 1}`,
    pid: node.pid,
    network,
    folder,
    async stop() {
      await network.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Foundry's development chain with blocks of one second; it stores nothing. */
export async function startAnvil(funded: readonly string[]): Promise<Peer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = await startChildService({
    name: 'anvil',
    command: `${ROOT}node_modules/.bin/anvil`,
    args: [
      '--port',
      String(port),
      '--block-time',
      '1',
      '--gas-limit',
      String(BLOCK_GAS),
      '--chain-id',
      String(CHAIN_ID),
      '--base-fee',
      '0',
      '--gas-price',
      '0',
      '--silent',
    ],
    logFile: join(tmpdir(), `tetrad-anvil-${port}.log`),
    isReady: async () => (await callRpc(url, 'eth_chainId', [])) !== undefined,
  });
  for (const address of funded)
    await callRpc(url, 'anvil_setBalance', [address, '0x33b2e3c9fd0803ce8000000']);
  // SIGTERM: npm links anvil as a script, which forwards it; killed, the script would leave its child behind.
  return { url, pid: child.pid, stop: () => child.stop() };
}

/** The bare HTTP server of `servers/echo.ts`. */
export async function startEcho(): Promise<Peer> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./servers/echo.js', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<string>((done) =>
    child.stdout.once('data', (line: Buffer) => done(line.toString().trim())),
  );
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid as number,
    async stop() {
      child.kill();
    },
  };
}
