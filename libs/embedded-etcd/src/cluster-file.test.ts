import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { initialCluster, newCluster, readClusterFile, writeClusterFile } from './cluster-file.js';
import { openCluster } from './cluster-ports.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tetrad-cluster-file-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the file of a cluster', () => {
  it('is read as it was written', async () => {
    expect(await readClusterFile(folder)).toBeUndefined();
    const cluster = newCluster([
      { clientPort: 1001, peerPort: 1002 },
      { clientPort: 1003, peerPort: 1004 },
    ]);
    expect(initialCluster(cluster)).toBe('member-1=http://127.0.0.1:1002,member-2=http://127.0.0.1:1004');
    await writeClusterFile(folder, cluster);
    expect(await readClusterFile(folder)).toEqual(cluster);
  });

  it.each([
    ['no JSON', '{'],
    ['no object', 'null'],
    ['no members', '{ "token": "00" }'],
    [
      'a name that leaves the folder',
      '{ "token": "00", "members": [{ "name": "../x", "clientPort": 1, "peerPort": 2, "generation": 1, "joins": false }] }',
    ],
    [
      'an invalid port',
      '{ "token": "00", "members": [{ "name": "member-1", "clientPort": 0, "peerPort": 2, "generation": 1, "joins": false }] }',
    ],
  ])('is refused with %s', async (_what, text) => {
    writeFileSync(join(folder, 'cluster.json'), text);
    await expect(readClusterFile(folder)).rejects.toThrow(
      `embedded etcd: ${join(folder, 'cluster.json')} is damaged`,
    );
  });
});

describe('opening the folder of a cluster', () => {
  it('gives every member two ports, each its own', async () => {
    const { cluster, isNew } = await openCluster(folder, { members: 3 });
    expect(isNew).toBe(true);
    expect(new Set(cluster.members.flatMap((one) => [one.clientPort, one.peerPort])).size).toBe(6);
    expect(await readClusterFile(folder)).toEqual(cluster);
  });

  it('starts over where no member has data yet', async () => {
    const { cluster } = await openCluster(folder, { members: 3 });
    const again = await openCluster(folder, { members: 1 });
    expect([again.isNew, again.cluster.members.length]).toEqual([true, 1]);
    expect(again.cluster.token).not.toBe(cluster.token);
  });

  it('refuses another number of ports than members need', async () => {
    await expect(openCluster(folder, { members: 3, ports: [1, 2] })).rejects.toThrow(
      'embedded etcd: 3 members need 6 ports, not 2',
    );
  });
});
