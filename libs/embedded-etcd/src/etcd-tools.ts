import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { initialCluster, peerUrl, type ClusterRecord, type MemberRecord } from './cluster-file.js';
import { EmbeddedEtcdError } from './embedded-etcd-error.js';
import { etcdEnvironment, requireEtcdctl, requireSnapshotTool } from './find-etcd.js';

const TIMEOUT_MS = 120_000;
const LOOK_AGAIN_MS = 200;
const MAX_OUTPUT_BYTES = 1024 * 1024;

/**
 * Writes the data of one member to a new file.
 * @throws EmbeddedEtcdError
 */
export async function saveSnapshot(endpoint: string, file: string): Promise<void> {
  await askMember(endpoint, ['snapshot', 'save', file]);
}

/**
 * Makes the data folder of a member of a new cluster from a snapshot.
 * @throws EmbeddedEtcdError
 */
export async function restoreSnapshot(
  file: string,
  { cluster, member, data }: { cluster: ClusterRecord; member: MemberRecord; data: string },
): Promise<void> {
  await run(requireSnapshotTool(), [
    'snapshot',
    'restore',
    file,
    `--name=${member.name}`,
    `--data-dir=${data}`,
    `--initial-cluster=${initialCluster(cluster)}`,
    `--initial-cluster-token=${cluster.token}`,
    `--initial-advertise-peer-urls=${peerUrl(member)}`,
  ]);
}

/**
 * Removes the member from the cluster and adds it again, with empty data. Raft allows no other
 * way: a member that returns without entries that it confirmed breaks the guarantees of the others.
 * @param endpoint - of another member; there has to be a quorum without this one
 */
export async function announceAnew(endpoint: string, member: MemberRecord): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    try {
      return await removeAndAdd(endpoint, member);
    } catch (error) {
      // It refuses changes until it has seen the others connected for five seconds, and while it has no leader.
      const isEarly = error instanceof EmbeddedEtcdError && /unhealthy cluster|no leader/.test(error.message);
      if (!isEarly || Date.now() > deadline) throw error;
      await new Promise((tick) => setTimeout(tick, LOOK_AGAIN_MS));
    }
  }
}

async function removeAndAdd(endpoint: string, member: MemberRecord): Promise<void> {
  // Lines of: id, status, name, peer URLs, client URLs, learner
  const lines = (await askMember(endpoint, ['member', 'list', '--write-out=simple'])).split('\n');
  const known = lines.map((line) => line.split(', ')).find((fields) => fields[3] === peerUrl(member));
  if (known?.[0] !== undefined) await askMember(endpoint, ['member', 'remove', known[0]]);
  await askMember(endpoint, ['member', 'add', member.name, `--peer-urls=${peerUrl(member)}`]);
}

function askMember(endpoint: string, args: readonly string[]): Promise<string> {
  return run(requireEtcdctl(), [`--endpoints=${endpoint}`, '--command-timeout=60s', ...args]);
}

/**
 * The output of the program.
 * @throws EmbeddedEtcdError with the last line of its errors
 */
async function run(program: string, args: readonly string[]): Promise<string> {
  const options = { timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES, env: etcdEnvironment() };
  try {
    return (await promisify(execFile)(program, args, options)).stdout;
  } catch (error) {
    const { message, stderr = '' } = error as Error & { stderr?: string };
    const said = stderr.trim().split('\n').pop() ?? '';
    throw new EmbeddedEtcdError(`${basename(program)} failed: ${said === '' ? message : said}`);
  }
}
