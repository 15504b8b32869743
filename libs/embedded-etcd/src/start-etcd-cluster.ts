import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { FolderInUseError, takeFolderLock, type FolderLock } from '@tetrad/files';
import type { Logger } from '@tetrad/types';
import { dataFolder, type ClusterRecord } from './cluster-file.js';
import { openCluster } from './cluster-ports.js';
import { EmbeddedEtcdError } from './embedded-etcd-error.js';
import { EtcdCluster } from './etcd-cluster.js';
import { PortTakenError } from './etcd-process.js';
import { requireEtcd } from './find-etcd.js';
import type { EtcdLimits } from './member-arguments.js';

export interface EtcdClusterOptions extends EtcdLimits {
  /** Folder of the cluster and its data; created when absent, resumed otherwise. */
  readonly folder: string;
  readonly members: 1 | 3;
  readonly logger: Logger;
  /** For a new cluster, two for each member: of clients, of other members. Without them the system gives ports. */
  readonly ports?: readonly number[];
  /** Whether a member that ends unexpectedly is started again, with growing delays; not by default. */
  readonly keep?: boolean;
}

/** How long a process that is about to end may still hold the folder. */
const HOLDER_GRACE_MS = 5_000;
const PORT_ATTEMPTS = 5;

/**
 * Starts a cluster of the etcd that is installed on this host, on 127.0.0.1, and resolves when every member answers. It
 * ends with this process, also when that is killed. A cluster in the folder is resumed, with its data and its
 * ports; a client port that is taken is replaced.
 * @throws EmbeddedEtcdError when etcd is missing or older than 3.4, the folder is in use or has another number of
 *   members, a port is taken, or a member does not start
 */
export async function startEtcdCluster(options: EtcdClusterOptions): Promise<EtcdCluster> {
  const { path: etcd } = await requireEtcd();
  const folder = resolve(options.folder);
  await mkdir(folder, { recursive: true });
  const lock = await lockFolder(folder);
  try {
    return await startLocked({ ...options, folder }, { etcd, lock });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function lockFolder(folder: string): Promise<FolderLock> {
  try {
    return await takeFolderLock(join(folder, 'lock'), HOLDER_GRACE_MS);
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    throw new EmbeddedEtcdError(`${folder} is in use by ${error.holder}`);
  }
}

/** A port from the system can be taken by another process before etcd listens on it; a new cluster then gets others. */
async function startLocked(
  options: EtcdClusterOptions,
  { etcd, lock }: { etcd: string; lock: FolderLock },
): Promise<EtcdCluster> {
  const { folder, keep = false, logger, members, ports } = options;
  for (let attempt = 1; ; attempt += 1) {
    const { cluster: record, isNew } = await openCluster(folder, { members, ports });
    const cluster = new EtcdCluster(record, { etcd, folder, keep, logger, limits: options }, lock);
    const mayChoose = isNew && ports === undefined;
    try {
      await cluster.start(mayChoose ? 0 : undefined);
      return cluster;
    } catch (error) {
      await cluster.stop();
      const isWorthwhile = mayChoose && error instanceof PortTakenError && attempt < PORT_ATTEMPTS;
      if (!isWorthwhile) throw error;
      await removeAll(folder, record);
    }
  }
}

async function removeAll(folder: string, { members }: ClusterRecord): Promise<void> {
  for (const member of members) await rm(dataFolder(folder, member), { recursive: true, force: true });
}
