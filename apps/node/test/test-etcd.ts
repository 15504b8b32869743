import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from '@jest/globals';
import { lackingForEtcd, startEtcdCluster, type EtcdCluster, type EtcdMember } from '@tetrad/embedded-etcd';
import { freePorts } from '@tetrad/testkit';
import { silentLogger } from '@tetrad/types';

const lacking = await lackingForEtcd();
if (lacking !== undefined) process.stderr.write(`SKIPPED: ${lacking}\n`);

/** Counts its tests as skipped without etcd. */
export const describeWithEtcd = lacking === undefined ? describe : describe.skip;

export interface TestEtcd {
  readonly endpoints: readonly string[];
  readonly cluster: EtcdCluster;
  member(index: number): EtcdMember;
  close(): Promise<void>;
}

/** A real cluster in a folder of its own. */
export async function startTestEtcd(members: 1 | 3): Promise<TestEtcd> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-etcd-'));
  const first = await freePorts(2 * members);
  const ports = Array.from({ length: 2 * members }, (_, index) => first + index);
  const cluster = await startEtcdCluster({ folder, members, ports, logger: silentLogger });
  return {
    endpoints: cluster.endpoints,
    cluster,
    member: (index) => cluster.members[index] as EtcdMember,
    async close() {
      await cluster.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
