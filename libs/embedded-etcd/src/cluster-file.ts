import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '@tetrad/files';
import { EmbeddedEtcdError } from './embedded-etcd-error.js';

/**
 * The folder of a cluster:
 *
 *   cluster.json   the type below; a later start on the folder resumes the same cluster
 *   member-1/      data-N (of etcd; N grows when they are replaced), etcd.log
 *   lock           of the process that uses it
 */
export interface ClusterRecord {
  /** Keeps members of other clusters away; 32 hexadecimal digits. */
  readonly token: string;
  readonly members: readonly MemberRecord[];
}

export interface MemberRecord {
  readonly name: string;
  readonly clientPort: number;
  readonly peerPort: number;
  /** N of the data folder. */
  readonly generation: number;
  /** Whether it joined existing members, with empty data. */
  readonly joins: boolean;
}

export type MemberPorts = Pick<MemberRecord, 'clientPort' | 'peerPort'>;

export function newToken(): string {
  return randomBytes(16).toString('hex');
}

export function newCluster(ports: readonly MemberPorts[]): ClusterRecord {
  const members = ports.map((one, index) => ({
    name: `member-${index + 1}`,
    generation: 1,
    joins: false,
    ...one,
  }));
  return { token: newToken(), members };
}

export function peerUrl({ peerPort }: MemberPorts): string {
  return `http://127.0.0.1:${peerPort}`;
}

export function clientUrl({ clientPort }: MemberPorts): string {
  return `http://127.0.0.1:${clientPort}`;
}

/** The value of etcd's `--initial-cluster`. */
export function initialCluster({ members }: ClusterRecord): string {
  return members.map((member) => `${member.name}=${peerUrl(member)}`).join(',');
}

export function dataFolder(folder: string, { name, generation }: MemberRecord): string {
  return join(folder, name, `data-${generation}`);
}

export async function writeClusterFile(folder: string, cluster: ClusterRecord): Promise<void> {
  await writeWhole(join(folder, 'cluster.json'), `${JSON.stringify(cluster, undefined, 2)}\n`);
}

/**
 * @returns undefined without a file
 * @throws EmbeddedEtcdError when the file is damaged
 */
export async function readClusterFile(folder: string): Promise<ClusterRecord | undefined> {
  const path = join(folder, 'cluster.json');
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const cluster = parse(text);
  if (!isClusterRecord(cluster)) throw new EmbeddedEtcdError(`${path} is damaged`);
  return cluster;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isClusterRecord(value: unknown): value is ClusterRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { token, members } = value as Partial<Record<keyof ClusterRecord, unknown>>;
  return typeof token === 'string' && Array.isArray(members) && members.every(isMemberRecord);
}

function isMemberRecord(value: unknown): value is MemberRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { name, clientPort, peerPort, generation, joins } = value as Partial<
    Record<keyof MemberRecord, unknown>
  >;
  return (
    typeof name === 'string' &&
    /^member-\d$/.test(name) &&
    [clientPort, peerPort].every(
      (port) => Number.isInteger(port) && Number(port) > 0 && Number(port) < 65_536,
    ) &&
    Number.isSafeInteger(generation) &&
    typeof joins === 'boolean'
  );
}
