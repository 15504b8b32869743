import { existsSync } from 'node:fs';
import { freeLoopbackPort, isLoopbackPortFree } from '@tetrad/server-process';
import {
  dataFolder,
  newCluster,
  readClusterFile,
  writeClusterFile,
  type ClusterRecord,
  type MemberPorts,
  type MemberRecord,
} from './cluster-file.js';
import { EmbeddedEtcdError } from './embedded-etcd-error.js';
import { endLeftoverOn } from './leftover-member.js';

/**
 * The cluster of the folder, with ports that are free; written there before anything is started.
 * @param options.ports - for each member in turn that of clients and that of other members, for a new cluster; without
 *   them the system's choice
 * @throws EmbeddedEtcdError when the number of members differs, or a port between members is taken
 */
export async function openCluster(
  folder: string,
  { members, ports }: { members: number; ports?: readonly number[] | undefined },
): Promise<{ readonly cluster: ClusterRecord; readonly isNew: boolean }> {
  const found = await readClusterFile(folder);
  // A cluster whose first start was interrupted before it had any data is created again: its ports may be taken by now.
  const isNew = found === undefined || found.members.every((one) => !existsSync(dataFolder(folder, one)));
  if (found !== undefined && !isNew && found.members.length !== members)
    throw new EmbeddedEtcdError(`${folder} has a cluster of ${found.members.length}, not of ${members}`);
  for (const member of found?.members ?? []) await endLeftoverOn(dataFolder(folder, member));
  const cluster = isNew ? newCluster(await choosePorts(members, ports)) : await withFreePorts(found);
  await writeClusterFile(folder, cluster);
  return { cluster, isNew };
}

async function choosePorts(members: number, given: readonly number[] | undefined): Promise<MemberPorts[]> {
  if (given !== undefined && given.length !== 2 * members)
    throw new EmbeddedEtcdError(`${members} members need ${2 * members} ports, not ${given.length}`);
  const ports = given ?? (await distinctPorts(2 * members));
  return Array.from({ length: members }, (_, index) => ({
    clientPort: ports[2 * index] ?? 0,
    peerPort: ports[2 * index + 1] ?? 0,
  }));
}

async function distinctPorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await systemPort());
  return [...ports];
}

async function systemPort(): Promise<number> {
  const port = await freeLoopbackPort();
  if (port === undefined) throw new EmbeddedEtcdError('this host has no free port on 127.0.0.1');
  return port;
}

async function withFreePorts(cluster: ClusterRecord): Promise<ClusterRecord> {
  const isAlone = cluster.members.length === 1;
  const members: MemberRecord[] = [];
  for (const member of cluster.members) {
    const [clientPort, peerPort] = [
      (await isLoopbackPortFree(member.clientPort)) ? member.clientPort : await systemPort(),
      await peerPortOf(member, isAlone),
    ];
    members.push({ ...member, clientPort, peerPort });
  }
  return { ...cluster, members };
}

/** Members know each other by this port; it is not used in a cluster of one member. */
async function peerPortOf({ name, peerPort }: MemberRecord, isAlone: boolean): Promise<number> {
  if (await isLoopbackPortFree(peerPort)) return peerPort;
  if (isAlone) return systemPort();
  throw new EmbeddedEtcdError(
    `port ${peerPort}, at which other members know ${name}, is taken; end the process that listens there`,
  );
}
