import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EtcdMember } from '@tetrad/embedded-etcd';
import { clusterFolder } from '@tetrad/embedded-postgres';
import { eventually } from '../demo/eventually.js';
import type { Network } from '../network/network.js';
import type { ServiceProcess } from '../network/service-process.js';

/** A process that may be killed, and must recover without intervention. */
export interface Victim {
  readonly name: string;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  /**
   * Resolves once it works again.
   * @throws when it does not come back
   */
  comeBack(): Promise<void>;
  /** Whether it should work and does not, although it was not killed. */
  readonly isDown: boolean;
}

/** Everything of a network that may be killed, by kind. */
export type Victims = ReadonlyMap<string, readonly Victim[]>;

export interface VictimParts {
  readonly network: Network;
  /** Data folder of the embedded PostgreSQL; undefined when the network uses another server. */
  readonly postgresFolder?: string | undefined;
  /** Members of the etcd cluster that orders the blocks; undefined under validators. */
  readonly etcd?: readonly EtcdMember[] | undefined;
}

export function victimsOf({ network, postgresFolder, etcd = [] }: VictimParts): Victims {
  const { nodes, endpoints } = network;
  const managers = endpoints.nodes.flatMap(({ ptm }, index) => (ptm === null ? [] : [`manager${index}`]));
  const signer = endpoints.signer === null ? [] : ['signer'];
  const wallet = endpoints.wallet === null ? [] : ['wallet'];
  const named = (names: readonly string[]) => names.map((name) => processVictim(network.process(name)));
  const kinds = new Map<string, readonly Victim[]>([
    ['node', nodes.map(processVictim)],
    ['manager', named(managers)],
    ['service', named([...signer, ...wallet])],
    ['PostgreSQL', postgresFolder === undefined ? [] : [postgresVictim(postgresFolder)]],
    ['etcd', etcd.map((member) => etcdVictim([member]))],
    ['quorum of etcd', etcd.length < 3 ? [] : [etcdVictim(etcd.slice(1)), etcdVictim(etcd.slice(0, 2))]],
  ]);
  return new Map([...kinds].filter(([, members]) => members.length > 0));
}

/** Started again as by a supervisor, as often as needed: its database may be unavailable. */
const STARTS = 10;
const BETWEEN_STARTS_MS = 1_000;

function processVictim(process: ServiceProcess): Victim {
  const start = async (left: number): Promise<void> => {
    try {
      await process.start();
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((done) => setTimeout(done, BETWEEN_STARTS_MS));
      await start(left - 1);
    }
  };
  return {
    name: process.name,
    kill: () => process.kill(),
    comeBack: () => start(STARTS - 1),
    get isDown() {
      return !process.isRunning;
    },
  };
}

/** Members that are killed at the same moment; their cluster starts them again. */
function etcdVictim(members: readonly EtcdMember[]): Victim {
  return {
    name: members.map(({ name }) => name).join(' and '),
    isDown: false,
    async kill() {
      await Promise.all(members.map((member) => member.kill()));
    },
    async comeBack() {
      await Promise.all(members.map((member) => member.whenHealthy()));
    },
  };
}

/** The embedded server is started again by the process that has started it. */
function postgresVictim(folder: string): Victim {
  let killed = 0;
  return {
    name: 'PostgreSQL',
    isDown: false,
    async kill() {
      const server = await readPostmaster(folder);
      if (server === undefined) throw new Error(`no PostgreSQL runs on ${folder}`);
      killed = server.pid;
      process.kill(server.pid, 'SIGKILL');
    },
    comeBack: () =>
      eventually('PostgreSQL was killed and did not come back', async () => {
        const server = await readPostmaster(folder);
        return server !== undefined && server.pid !== killed && server.isReady;
      }),
  };
}

/**
 * The file has the process in the first line, and the state in the eighth.
 * @returns undefined without a server
 */
async function readPostmaster(folder: string): Promise<{ pid: number; isReady: boolean } | undefined> {
  const file = join(clusterFolder(folder).cluster, 'postmaster.pid');
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  return pid > 0 ? { pid, isReady: lines[7]?.trim() === 'ready' } : undefined;
}
