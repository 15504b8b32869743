import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createDatabase, startEmbeddedPostgres, type EmbeddedPostgres } from '@tetrad/db';
import { isServiceReady, startChildService, type ChildService } from '@tetrad/testkit';
import { hexFromBytes } from '@tetrad/types';
import { serviceMain } from '../paths.js';
import type { Endpoints } from './endpoints.js';
import { FUNDED_ACCOUNTS, prepareNetworkFiles, type NetworkFiles } from './network-files.js';
import type { NetworkOptions } from './network-options.js';
import { launchSigner } from './signer.js';
import { WALLET_PATH, launchWallet, type LaunchedWallet } from './wallet.js';

/** A development network of real processes. */
export interface Network {
  readonly endpoints: Endpoints;
  /** Ends the node at once, as a crash would. */
  killNode(): Promise<void>;
  /** Starts the node again on its data; resolves when it is ready. */
  restartNode(): Promise<void>;
  /** Ends the signer at once, as a crash would. */
  killSigner(): Promise<void>;
  /** Starts the signer again on its database; resolves when it is ready. */
  restartSigner(): Promise<void>;
  /** Stops the wallet in order and starts it again; resolves when it is ready. */
  restartWallet(): Promise<void>;
  /** How the wallet's commands are run on its keys. Fails: Error when the network has none */
  readonly walletCommand: LaunchedWallet['command'];
  /** Stops the node in order. */
  stopNode(): Promise<void>;
  /** Runs the stopped node's chain again from the genesis file. Out: what its verification says. */
  readonly verifyCommand: {
    readonly command: string;
    readonly args: readonly string[];
    readonly environment: Readonly<Record<string, string>>;
  };
  stop(): Promise<void>;
}

interface Ports {
  readonly rpc: number;
  readonly ops: number;
  readonly signer: number;
  readonly signerOps: number;
  readonly peer: number;
  readonly wallet: number;
  readonly walletOps: number;
}

/** Ports of design.md, section 3, or seven in a row from the base. */
function portsOf(base: number | undefined): Ports {
  return base === undefined
    ? {
        rpc: 22_000,
        ops: 22_100,
        signer: 8_545,
        signerOps: 8_546,
        peer: 21_000,
        wallet: 9_000,
        walletOps: 9_001,
      }
    : {
        rpc: base,
        ops: base + 1,
        signer: base + 2,
        signerOps: base + 3,
        peer: base + 4,
        wallet: base + 5,
        walletOps: base + 6,
      };
}

/** Starts the network in the data folder; what is there already is resumed. */
export async function startNetwork(given: NetworkOptions): Promise<Network> {
  const options = { ...given, dataDir: resolve(given.dataDir) };
  await mkdir(options.dataDir, { recursive: true });
  const files = await prepareNetworkFiles(options);
  const ports = portsOf(options.portBase);
  const started: (() => Promise<void>)[] = [];
  try {
    const database = await openDatabaseServer(options);
    if (database.server !== undefined) started.unshift(() => database.server?.stop() ?? Promise.resolve());
    const environment = { TETRAD_NODE_DATABASE_URL: database.url };
    const startNode = () => launchNode(options, files, { ports, environment });
    let node = await startNode();
    started.unshift(() => node.stop());
    const startSigner = () =>
      launchSigner({
        dataDir: options.dataDir,
        chainId: files.chainId,
        keyFile: files.signerKeyFile,
        passwordFile: files.passwordFile,
        serverUrl: database.url,
        downstreamPort: ports.rpc,
        port: ports.signer,
        opsPort: ports.signerOps,
      });
    let signer = options.services.includes('signer') ? await startSigner() : undefined;
    started.unshift(async () => signer?.stop());
    const startWallet = () =>
      launchWallet({
        dataDir: options.dataDir,
        serverUrl: database.url,
        port: ports.wallet,
        opsPort: ports.walletOps,
      });
    let wallet = options.services.includes('wallet') ? await startWallet() : undefined;
    started.unshift(async () => wallet?.child.stop());
    return {
      endpoints: await describe(files, { ports, node, signer, wallet, databaseUrl: database.url }),
      async restartWallet() {
        await wallet?.child.stop();
        wallet = await startWallet();
      },
      get walletCommand() {
        if (wallet === undefined) throw new Error('the network has no wallet');
        return wallet.command;
      },
      verifyCommand: {
        command: process.execPath,
        args: [serviceMain('node'), ...nodeArgs(files, ports), '--verify'],
        environment,
      },
      killSigner: async () => signer?.kill(),
      async restartSigner() {
        signer = await startSigner();
      },
      killNode: () => node.kill(),
      stopNode: () => node.stop(),
      async restartNode() {
        node = await startNode();
      },
      stop: () => stopAll(started),
    };
  } catch (error) {
    await stopAll(started);
    throw error;
  }
}

async function stopAll(started: readonly (() => Promise<void>)[]): Promise<void> {
  for (const stop of started) await stop();
}

async function openDatabaseServer(
  options: NetworkOptions,
): Promise<{ url: string; server?: EmbeddedPostgres }> {
  if (options.databaseUrl !== undefined)
    return { url: await createDatabase(options.databaseUrl, 'tetrad_node0') };
  const server = await startEmbeddedPostgres({ dataDir: join(options.dataDir, 'postgres') });
  return { url: await createDatabase(server.url('postgres'), 'tetrad_node0'), server };
}

function nodeArgs(files: NetworkFiles, ports: Ports): string[] {
  return [
    ...[
      '--data-dir',
      files.nodeFolder,
      '--genesis-file',
      files.genesisFile,
      '--node-key-file',
      files.nodeKeyFile,
    ],
    ...[
      '--keystore-dir',
      files.keystoreDir,
      '--keystore-password-file',
      files.passwordFile,
      '--migrate',
      'true',
    ],
    ...['--http-listen-port', String(ports.rpc), '--ops-listen-port', String(ports.ops)],
    ...['--peer-listen-port', String(ports.peer), '--http-api', 'eth,net,web3,txpool,rpc,debug,admin'],
  ];
}

function launchNode(
  options: NetworkOptions,
  files: NetworkFiles,
  { ports, environment }: { ports: Ports; environment: Readonly<Record<string, string>> },
): Promise<ChildService> {
  return startChildService({
    name: 'node',
    command: process.execPath,
    args: [serviceMain('node'), ...nodeArgs(files, ports)],
    environment,
    logFile: join(options.dataDir, 'node0.log'),
    isReady: () => isServiceReady(`http://127.0.0.1:${ports.ops}`),
  });
}

async function describe(
  files: NetworkFiles,
  running: {
    ports: Ports;
    node: ChildService;
    signer: ChildService | undefined;
    wallet: LaunchedWallet | undefined;
    databaseUrl: string;
  },
): Promise<Endpoints> {
  const { ports, node, signer, wallet, databaseUrl } = running;
  const rpc = `http://127.0.0.1:${ports.rpc}`;
  return {
    chainId: files.chainId,
    nodes: [
      {
        name: 'node0',
        rpc,
        ws: `ws://127.0.0.1:${ports.rpc}`,
        p2p: null,
        ptm: null,
        ptmKey: null,
        enode: await readEnode(rpc),
        address: files.validator,
        accounts: [files.nodeAccount],
        pid: node.pid,
      },
    ],
    signer:
      signer === undefined
        ? null
        : { rpc: `http://127.0.0.1:${ports.signer}`, address: files.signerAddress, pid: signer.pid },
    rollup: null,
    wallet:
      wallet === undefined
        ? null
        : { rpc: `http://127.0.0.1:${ports.wallet}`, path: WALLET_PATH, pid: wallet.child.pid },
    funded: FUNDED_ACCOUNTS.map(({ address, privateKey }) => ({
      address,
      privateKey: hexFromBytes(privateKey),
    })),
    database: { url: databaseUrl },
  };
}

async function readEnode(rpc: string): Promise<string> {
  const response = await fetch(rpc, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'admin_nodeInfo', params: [] }),
  });
  const { result } = (await response.json()) as { result: { enode: string } };
  return result.enode;
}
