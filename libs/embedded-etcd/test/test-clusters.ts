import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { freePorts } from '@tetrad/testkit';
import { silentLogger } from '@tetrad/types';
import { startEtcdCluster, type EtcdCluster } from '../src/index.js';

export interface TestClusters {
  /** Of all tests of the file. */
  readonly base: string;
  /** Folder of the test that runs: its cluster's. */
  readonly folder: string;
  start(members?: 1 | 3, more?: { keep?: boolean; quotaBytes?: number }): Promise<EtcdCluster>;
}

/** Clusters that end with the test which started them. */
export function testClusters(): TestClusters {
  const place = { base: '', folder: '' };
  let count = 0;
  const clusters: EtcdCluster[] = [];
  beforeAll(() => void (place.base = mkdtempSync(join(tmpdir(), 'tetrad-etcd-'))));
  beforeEach(() => void (place.folder = join(place.base, String((count += 1)))));
  afterEach(async () => {
    for (const cluster of clusters.splice(0)) await cluster.close();
  });
  afterAll(() => rmSync(place.base, { recursive: true, force: true }));
  return Object.assign(place, {
    async start(members: 1 | 3 = 1, more = {}) {
      const first = await freePorts(2 * members);
      const ports = Array.from({ length: 2 * members }, (_, index) => first + index);
      const cluster = await startEtcdCluster({
        folder: place.folder,
        members,
        ports,
        logger: silentLogger,
        ...more,
      });
      clusters.push(cluster);
      return cluster;
    },
  });
}

/** The member of a place. */
export function memberAt(cluster: EtcdCluster, index: number): EtcdCluster['members'][number] {
  const member = cluster.members[index];
  if (member === undefined) throw new Error(`no member ${index}`);
  return member;
}

export async function occupy(port: number): Promise<Server> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  return server;
}
