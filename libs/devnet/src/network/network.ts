import { join, resolve } from 'node:path';
import { FolderInUseError, makeDataFolder, takeFolderLock, type FolderLock } from '@tetrad/files';
import { hexFromBytes } from '@tetrad/types';
import { claimPorts } from './claim-ports.js';
import {
  assertEndpointsWritable,
  dropStaleEndpoints,
  removeEndpointsFile,
  writeEndpointsFile,
  type Endpoints,
} from './endpoints.js';
import { FUNDED_ACCOUNTS, makeNetworkFiles, readNetworkFiles, type NetworkFiles } from './network-files.js';
import type { NetworkEvents } from './network-events.js';
import type { NetworkNode } from './network-node.js';
import type { NetworkOptions } from './network-options.js';
import { connectionsNeeded, openDatabases, type DatabaseServer } from './network-databases.js';
import type { NetworkBase, NetworkLinks } from './network-service.js';
import { readNodeOptions } from './node-options.js';
import { openJoiningNode } from './node-service.js';
import { openEtcd, type OrderingEtcd } from './open-etcd.js';
import { RunningServices } from './running-services.js';
import { databaseNames, prepareServices } from './service-list.js';
import type { ServiceProcess } from './service-process.js';

/** A development network of real processes. */
export interface Network {
  readonly endpoints: Endpoints;
  /** The validators of block 0; nodes that join are appended. */
  readonly nodes: readonly NetworkNode[];
  /** Starts a node that is not a validator, or a learner, on the chain of the others. */
  join(options?: JoinOptions): Promise<NetworkNode>;
  /** All of them. */
  readonly processes: readonly ServiceProcess[];
  /**
   * The process with the name, such as `signer` or `manager1`.
   * @throws Error when the network has none
   */
  process(name: string): ServiceProcess;
  stop(): Promise<void>;
}

export interface JoinOptions {
  /** As `--node-options` of `up`; they replace options of the other nodes with the same flags. */
  readonly nodeOptions?: string;
  /** What others do with its enode URL and its account before it starts, such as voting for them. */
  readonly beforeStart?: (node: NetworkNode) => Promise<void>;
}

/**
 * Starts the network in the data folder; an existing one is resumed. The endpoints file exists from when all services are
 * ready until the network stops.
 * @throws Error when the folder holds another network, the folder or a port is in use, a service does not start, or the
 *   signal aborts the start
 */
export async function startNetwork(
  given: NetworkOptions,
  { onProgress = () => undefined, onEnded, onLeftOut, signal, ...links }: NetworkLinks & NetworkEvents = {},
): Promise<Network> {
  const options = { ...given, dataDir: resolve(given.dataDir) };
  await assertEndpointsWritable(options.endpointsFile);
  await makeDataFolder(options.dataDir);
  const lock = await lockDataDir(options.dataDir);
  const running = new RunningServices();
  let databases: DatabaseServer | undefined;
  let etcd: OrderingEtcd | undefined;
  let endpoints: Endpoints | undefined;
  const stop = async () => {
    if (options.endpointsFile !== undefined) await removeEndpointsFile(options.endpointsFile, endpoints);
    await running.stop();
    await etcd?.stop();
    await databases?.stop();
    await lock.release();
  };
  try {
    await dropStaleEndpoints(options.endpointsFile);
    await claimPorts(options, onProgress);
    await dropStaleEndpoints(options.endpointsFile);
    const existing = await readNetworkFiles(options);
    // Each keeps a processor busy for a while, and neither needs the other.
    const [prepared, opened] = await Promise.allSettled([
      prepareFiles(existing, options, onProgress),
      openServer(options, onProgress, onEnded),
    ]);
    databases = opened.status === 'fulfilled' ? opened.value : undefined;
    const files = valueOf(prepared);
    databases = valueOf(opened);
    signal?.throwIfAborted();
    etcd = await openEtcd(options);
    if (etcd !== undefined) onProgress(`etcd orders the blocks at ${etcd.endpoints.join()}`);
    const etcdEndpoints = etcd?.endpoints;
    const base: NetworkBase = { options, files, databases, links, etcdEndpoints, onEnded };
    for (const name of options.services)
      await running.startOrLeaveOut(name, base, { onProgress, signal, onLeftOut });
    await running.joined();
    endpoints = { ...emptyEndpoints(base), ...(await running.endpoints(base)) };
    if (options.endpointsFile !== undefined) await writeEndpointsFile(options.endpointsFile, endpoints);
    return networkOf({ base, running, endpoints, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The files of the network and the keys of its services, made where they are missing. */
async function prepareFiles(
  existing: NetworkFiles | undefined,
  options: NetworkOptions,
  onProgress: (what: string) => void,
): Promise<NetworkFiles> {
  const files = existing ?? (await makeNetworkFiles(options));
  await prepareServices(options, files);
  onProgress(
    `keys and genesis of ${files.nodes.length} ${options.consensus === 'raft' ? 'members' : 'validators'} are in ${options.dataDir}`,
  );
  if (files.signerToken !== undefined)
    onProgress(
      `the key of the signer is on the token ${files.signerToken.tokenLabel} of SoftHSM, which signs`,
    );
  return files;
}

async function openServer(
  options: NetworkOptions,
  onProgress: (what: string) => void,
  onEnded: NetworkEvents['onEnded'],
): Promise<DatabaseServer> {
  const server = await openDatabases(options, databaseNames(options), onEnded);
  const connections = connectionsNeeded(databaseNames(options).length);
  onProgress(
    options.databaseUrl === undefined
      ? 'PostgreSQL is up'
      : `the database server is the one given; the services may hold ${connections} connections of it (max_connections)`,
  );
  return server;
}

/** @throws as what was settled did */
function valueOf<Value>(settled: PromiseSettledResult<Value>): Value {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

function networkOf(parts: {
  readonly base: NetworkBase;
  readonly running: RunningServices;
  readonly endpoints: Endpoints;
  readonly stop: () => Promise<void>;
}): Network {
  const { base, running, endpoints, stop } = parts;
  const { nodes } = running;
  return {
    endpoints,
    nodes,
    stop,
    get processes() {
      return running.all;
    },
    async join({ nodeOptions = '', beforeStart } = {}) {
      const node = await openJoiningNode(base, nodes, readNodeOptions(nodeOptions));
      running.add('node', node);
      await beforeStart?.(node);
      await node.start();
      return node;
    },
    process(name) {
      const process = running.find(name);
      if (process === undefined) throw new Error(`the network has no ${name}`);
      return process;
    },
  };
}

/** @throws Error naming the process that has the folder */
async function lockDataDir(dataDir: string): Promise<FolderLock> {
  try {
    return await takeFolderLock(join(dataDir, 'lock'));
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    throw new Error(
      `a network is already running in ${dataDir} (${error.holder}); stop it, or take another --data-dir`,
    );
  }
}

function emptyEndpoints({ files, databases }: NetworkBase): Endpoints {
  return {
    chainId: files.chainId,
    nodes: [],
    signer: null,
    rollup: null,
    wallet: null,
    funded: FUNDED_ACCOUNTS.map(({ address, privateKey }) => ({
      address,
      privateKey: hexFromBytes(privateKey),
    })),
    database: { url: databases.url },
  };
}
