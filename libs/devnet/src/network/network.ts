import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createDatabase, startEmbeddedPostgres } from '@tetrad/db';
import type { ChildService } from '@tetrad/testkit';
import { hexFromBytes } from '@tetrad/types';
import type { Endpoints } from './endpoints.js';
import { FUNDED_ACCOUNTS, prepareNetworkFiles, type NetworkFiles } from './network-files.js';
import { NetworkNode } from './network-node.js';
import type { NetworkOptions } from './network-options.js';
import { makeNodeFiles, type NodeFiles } from './node-files.js';
import { nodePorts, signerPorts, walletPorts } from './ports.js';
import { launchSigner } from './signer.js';
import { WALLET_PATH, launchWallet, type LaunchedWallet } from './wallet.js';

/** A development network of real processes. */
export interface Network {
  readonly endpoints: Endpoints;
  /** The validators of block 0; nodes that join are appended. */
  readonly nodes: readonly NetworkNode[];
  /** Starts a node that is no validator on the chain of the others. */
  join(): Promise<NetworkNode>;
  /** Ends the signer at once, as a crash would. */
  killSigner(): Promise<void>;
  /** Starts the signer again on its database; resolves when it is ready. */
  restartSigner(): Promise<void>;
  /** Stops the wallet in order and starts it again; resolves when it is ready. */
  restartWallet(): Promise<void>;
  /** How the wallet's commands are run on its keys. Fails: Error when the network has none */
  readonly walletCommand: LaunchedWallet['command'];
  stop(): Promise<void>;
}

/** What a network is started from. */
interface NetworkBase {
  readonly options: NetworkOptions;
  readonly files: NetworkFiles;
  readonly databases: DatabaseServer;
  readonly links: NetworkLinks;
}

/** How nodes reach each other when it is not at their own ports. */
export interface NetworkLinks {
  /** The port under which one node reaches another. */
  readonly linkPort?: (from: number, to: number) => number;
}

interface DatabaseServer {
  /** URL of the database with the name, which is made when it is missing. */
  open(name: string): Promise<string>;
  stop(): Promise<void>;
}

/** Starts the network in the data folder; what is there already is resumed. */
export async function startNetwork(given: NetworkOptions, links: NetworkLinks = {}): Promise<Network> {
  const options = { ...given, dataDir: resolve(given.dataDir) };
  await mkdir(options.dataDir, { recursive: true });
  const files = await prepareNetworkFiles(options);
  const databases = await openDatabases(options);
  const nodes: NetworkNode[] = [];
  let signer: ChildService | undefined;
  let wallet: LaunchedWallet | undefined;
  const stop = async () => {
    await wallet?.child.stop();
    await signer?.stop();
    await Promise.all(nodes.map((node) => node.stop()));
    await databases.stop();
  };
  try {
    const base = { options, files, databases, links };
    for (const [index, one] of files.nodes.entries()) nodes.push(await openNode(base, one, index));
    await writeStaticNodes(nodes, links);
    await startAll(nodes);
    const joinNode = async () => {
      const node = await openNode(base, await makeNodeFiles(options.dataDir, nodes.length), nodes.length);
      await node.writeStaticNodes(nodes.map(({ enode }) => enode));
      nodes.push(node);
      await node.start();
      return node;
    };
    const databaseUrl = await databases.open(databaseName(0));
    const startSigner = () => openSigner(options, files, databaseUrl);
    if (options.services.includes('signer')) signer = await startSigner();
    const startWallet = () => openWallet(options, databaseUrl);
    if (options.services.includes('wallet')) wallet = await startWallet();
    return {
      endpoints: describe({ options, files, nodes, signer, wallet, databaseUrl }),
      nodes,
      join: joinNode,
      killSigner: async () => signer?.kill(),
      async restartSigner() {
        signer = await startSigner();
      },
      async restartWallet() {
        await wallet?.child.stop();
        wallet = await startWallet();
      },
      get walletCommand() {
        if (wallet === undefined) throw new Error('the network has no wallet');
        return wallet.command;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Each is told of all others. */
async function writeStaticNodes(nodes: readonly NetworkNode[], { linkPort }: NetworkLinks): Promise<void> {
  for (const [from, node] of nodes.entries()) {
    const enodes = nodes.map((other, to) =>
      linkPort === undefined || from === to ? other.enode : other.enodeAt(linkPort(from, to)),
    );
    await node.writeStaticNodes(enodes);
  }
}

/** Waits for every start, also when one fails, so that all can be stopped. */
async function startAll(nodes: readonly NetworkNode[]): Promise<void> {
  const starts = await Promise.allSettled(nodes.map((node) => node.start()));
  const failed = starts.find((start) => start.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

async function openDatabases({ databaseUrl, dataDir }: NetworkOptions): Promise<DatabaseServer> {
  if (databaseUrl !== undefined) {
    return { open: (name) => createDatabase(databaseUrl, name), stop: async () => undefined };
  }
  const server = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres') });
  return { open: (name) => createDatabase(server.url('postgres'), name), stop: () => server.stop() };
}

function databaseName(index: number): string {
  return `tetrad_node${index}`;
}

async function openNode(base: NetworkBase, files: NodeFiles, index: number): Promise<NetworkNode> {
  const { options, databases, links } = base;
  const { genesisFile, passwordFile } = base.files;
  return new NetworkNode({
    ...{ files, genesisFile, passwordFile },
    isLinked: links.linkPort !== undefined,
    dataDir: options.dataDir,
    ports: nodePorts(options.portBase, index),
    databaseUrl: await databases.open(databaseName(index)),
  });
}

function openSigner(
  { dataDir, portBase }: NetworkOptions,
  { chainId, signerKeyFile, passwordFile }: NetworkFiles,
  serverUrl: string,
): Promise<ChildService> {
  const { rpc, ops } = signerPorts(portBase);
  return launchSigner({
    ...{ dataDir, chainId, passwordFile, serverUrl },
    keyFile: signerKeyFile,
    downstreamPort: nodePorts(portBase, 0).rpc,
    port: rpc,
    opsPort: ops,
  });
}

function openWallet({ dataDir, portBase }: NetworkOptions, serverUrl: string): Promise<LaunchedWallet> {
  const { rpc, ops } = walletPorts(portBase);
  return launchWallet({ dataDir, serverUrl, port: rpc, opsPort: ops });
}

function describe(running: {
  options: NetworkOptions;
  files: NetworkFiles;
  nodes: readonly NetworkNode[];
  signer: ChildService | undefined;
  wallet: LaunchedWallet | undefined;
  databaseUrl: string;
}): Endpoints {
  const { options, files, nodes, signer, wallet, databaseUrl } = running;
  const walletRpc = `http://127.0.0.1:${walletPorts(options.portBase).rpc}`;
  const signerRpc = `http://127.0.0.1:${signerPorts(options.portBase).rpc}`;
  return {
    chainId: files.chainId,
    nodes: nodes.map((node) => ({
      name: node.files.name,
      rpc: node.rpc,
      ws: `ws://127.0.0.1:${node.ports.rpc}`,
      p2p: `http://127.0.0.1:${node.ports.peer}`,
      ptm: null,
      ptmKey: null,
      enode: node.enode,
      address: node.files.address,
      accounts: [node.files.account],
      pid: node.pid,
    })),
    signer: signer === undefined ? null : { rpc: signerRpc, address: files.signerAddress, pid: signer.pid },
    rollup: null,
    wallet: wallet === undefined ? null : { rpc: walletRpc, path: WALLET_PATH, pid: wallet.child.pid },
    funded: FUNDED_ACCOUNTS.map(({ address, privateKey }) => ({
      address,
      privateKey: hexFromBytes(privateKey),
    })),
    database: { url: databaseUrl },
  };
}
