import { existsSync } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { FolderLock } from '@tetrad/files';
import {
  dataFolder,
  newToken,
  readClusterFile,
  writeClusterFile,
  type ClusterRecord,
  type MemberRecord,
} from './cluster-file.js';
import { EmbeddedEtcdError } from './embedded-etcd-error.js';
import { EtcdMember, type MemberParts, isHealthy } from './etcd-member.js';
import { announceAnew, restoreSnapshot, saveSnapshot } from './etcd-tools.js';

/** The members of one cluster, started by this process, with operations on all of them. */
export class EtcdCluster {
  readonly members: readonly EtcdMember[];
  private readonly folder: string;

  constructor(
    private record: ClusterRecord,
    parts: Omit<MemberParts, 'cluster'>,
    private readonly lock: FolderLock,
  ) {
    this.folder = parts.folder;
    const shared = { ...parts, cluster: () => this.record };
    this.members = record.members.map(({ name }) => new EtcdMember(name, shared));
  }

  /** `http://127.0.0.1:port` of each member, running or not. */
  get endpoints(): readonly string[] {
    return this.members.map(({ endpoint }) => endpoint);
  }

  /**
   * Starts members that do not run; resolves when all answer.
   * @param portPatienceMs - how long to wait for a port that another process has
   * @throws PortTakenError, EmbeddedEtcdError
   */
  async start(portPatienceMs?: number): Promise<void> {
    const lacking = this.record.members.filter(
      (one) => one.joins && !existsSync(dataFolder(this.folder, one)),
    );
    const joining = this.members.filter(({ name }) => lacking.some((one) => one.name === name));
    const others = this.members.filter((member) => !joining.includes(member));
    await settleAll(others.map((member) => member.start(portPatienceMs)));
    await this.whenHealthy();
    for (const member of joining) await this.join(member);
  }

  /**
   * Resolves when every member that runs answers, and with a quorum.
   * @throws EmbeddedEtcdError
   */
  async whenHealthy(): Promise<void> {
    await settleAll(this.members.filter((one) => one.isRunning()).map((one) => one.whenHealthy()));
  }

  /**
   * Shuts all members down; the cluster can be started again. One after another: a leader that ends transfers its leadership to
   * a running member, and would wait for seconds for one that ends too.
   */
  async stop(): Promise<void> {
    for (const member of this.members) await member.stop();
  }

  /** As `stop`, and releases the folder. */
  async close(): Promise<void> {
    await this.stop();
    await this.lock.release();
  }

  /**
   * Writes a snapshot of a member to a new file.
   * @param file - an absolute path
   * @throws EmbeddedEtcdError
   */
  async snapshot(file: string): Promise<void> {
    for (const { endpoint } of this.members)
      if (await isHealthy(endpoint)) return saveSnapshot(endpoint, file);
    throw new EmbeddedEtcdError('no member answers of which a snapshot could be taken');
  }

  /**
   * Replaces the data of all members by those of a snapshot, as an operator does: with a new token, and so with new ids of
   * cluster and members. Revisions go back to the snapshot's. When this process ends within, the folder has the former data
   * or the restored ones.
   * @throws EmbeddedEtcdError, with everything as it was
   */
  async restore(file: string): Promise<void> {
    const next = {
      token: newToken(),
      members: this.record.members.map((one) => ({ ...nextData(one), joins: false })),
    };
    for (const member of next.members) {
      const data = dataFolder(this.folder, member);
      await rm(data, { recursive: true, force: true });
      await restoreSnapshot(file, { cluster: next, member, data });
    }
    await this.replaceBy(next);
  }

  /**
   * Copies the data of all members, which are stopped meanwhile, to a new folder.
   * @param target - an absolute path
   */
  async saveData(target: string): Promise<void> {
    await this.stop();
    await mkdir(target, { recursive: true });
    await writeClusterFile(target, this.record);
    for (const { name } of this.members)
      await cp(join(this.folder, name), join(target, name), { recursive: true });
    await this.start();
  }

  /**
   * Restores the copy of `saveData`, as after a disk was replaced by an old image: ids of cluster and members stay, and
   * revisions are assigned a second time.
   * @throws EmbeddedEtcdError when the data are of another cluster, or of before a `restore`
   */
  async loadData(source: string): Promise<void> {
    const saved = await readClusterFile(source);
    if (saved?.token !== this.record.token)
      throw new EmbeddedEtcdError(`${source} has no data of this cluster`);
    const next = { ...this.record, members: this.record.members.map(nextData) };
    for (const [index, member] of next.members.entries()) {
      const from = dataFolder(source, saved.members[index] ?? member);
      const to = dataFolder(this.folder, member);
      await rm(to, { recursive: true, force: true });
      await cp(from, to, { recursive: true });
    }
    await this.replaceBy(next);
  }

  /**
   * The member loses its data and is started again. Alone it is an empty cluster of the same ids; one of three is removed
   * from the cluster and joins again, for which the others have to be healthy.
   * @throws EmbeddedEtcdError
   */
  async wipe(member: EtcdMember): Promise<void> {
    const joins = this.members.length > 1;
    await member.stop();
    const before = this.record;
    const members = before.members.map((one) =>
      one.name === member.name ? { ...nextData(one), joins } : one,
    );
    await this.write({ ...before, members });
    await this.removeData(before);
    if (joins) return this.join(member);
    await member.start();
    await member.whenHealthy();
  }

  private async join(member: EtcdMember): Promise<void> {
    const other = this.members.find((one) => one !== member && one.isRunning());
    const record = this.record.members.find(({ name }) => name === member.name);
    if (other === undefined || record === undefined)
      throw new EmbeddedEtcdError(`no other member runs that could take in ${member.name}`);
    await announceAnew(other.endpoint, record);
    await member.start();
    await member.whenHealthy();
  }

  private async replaceBy(next: ClusterRecord): Promise<void> {
    const before = this.record;
    await this.stop();
    await this.write(next);
    await this.removeData(before);
    await this.start();
  }

  private async write(next: ClusterRecord): Promise<void> {
    await writeClusterFile(this.folder, next);
    this.record = next;
  }

  /** Removes the data of members that have other data now. */
  private async removeData(before: ClusterRecord): Promise<void> {
    const kept = this.record.members.map((member) => resolve(dataFolder(this.folder, member)));
    for (const member of before.members) {
      const data = resolve(dataFolder(this.folder, member));
      if (!kept.includes(data)) await rm(data, { recursive: true, force: true });
    }
  }
}

function nextData(member: MemberRecord): MemberRecord {
  return { ...member, generation: member.generation + 1 };
}

/** Waits for all, so that nothing continues after the first failure. */
async function settleAll(works: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
