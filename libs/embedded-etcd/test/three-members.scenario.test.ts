import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { describeWithEtcd } from './describe-with-etcd.js';
import { idsOf, put, putPatiently, read } from './gateway.js';
import { memberAt, occupy, testClusters } from './test-clusters.js';

const clusters = testClusters();

describeWithEtcd('a cluster of three members', () => {
  it('goes on without one, has no quorum without two, and goes on when one is back', async () => {
    const cluster = await clusters.start(3);
    const [first, second, third] = [0, 1, 2].map((index) => memberAt(cluster, index));
    if (first === undefined || second === undefined || third === undefined) throw new Error('not three');
    await putPatiently(first.endpoint, 'number', 'one');
    expect(await read(third.endpoint, 'number')).toBe('one');
    await first.kill();
    await putPatiently(second.endpoint, 'number', 'two');
    await third.kill();
    await expect(put(second.endpoint, 'number', 'three')).rejects.toThrow();
    await first.start();
    await putPatiently(second.endpoint, 'number', 'four');
    expect(await read(first.endpoint, 'number')).toBe('four');
    await third.start();
    await cluster.whenHealthy();
    expect(await read(third.endpoint, 'number')).toBe('four');
  });

  it('goes back to a snapshot, as another cluster', async () => {
    const cluster = await clusters.start(3);
    const [endpoint = '', other = ''] = cluster.endpoints;
    const ids = await idsOf(endpoint);
    await putPatiently(endpoint, 'number', 'old');
    const file = join(clusters.base, 'snapshot');
    await cluster.snapshot(file);
    await putPatiently(endpoint, 'number', 'new');
    await cluster.restore(file);
    expect(await read(other, 'number')).toBe('old');
    expect((await idsOf(endpoint)).cluster).not.toBe(ids.cluster);
    await cluster.close();
    const resumed = await clusters.start(3);
    expect(resumed.endpoints[0]).toBe(endpoint);
    expect(await read(endpoint, 'number')).toBe('old');
  });

  it('stays as it is when a snapshot cannot be restored', async () => {
    const cluster = await clusters.start(3);
    const [endpoint = ''] = cluster.endpoints;
    await putPatiently(endpoint, 'number', 'one');
    const file = join(clusters.base, 'no-snapshot');
    writeFileSync(file, 'not a database');
    await expect(cluster.restore(file)).rejects.toThrow('embedded etcd: etcd');
    expect(await read(endpoint, 'number')).toBe('one');
  });

  it('takes a member in again that lost its data', async () => {
    const cluster = await clusters.start(3);
    const member = memberAt(cluster, 1);
    await putPatiently(member.endpoint, 'kept', 'seven');
    const ids = await idsOf(member.endpoint);
    await cluster.wipe(member);
    expect(await read(member.endpoint, 'kept')).toBe('seven');
    const now = await idsOf(member.endpoint);
    expect([now.cluster, now.member === ids.member]).toEqual([ids.cluster, false]);
    // Its vote counts: with another member killed there is a quorum.
    await memberAt(cluster, 0).kill();
    await putPatiently(member.endpoint, 'kept', 'eight');
    await cluster.close();
    await clusters.start(3);
    expect(await read(member.endpoint, 'kept')).toBe('eight');
  });

  it('names the port between members that is taken', async () => {
    const cluster = await clusters.start(3);
    await cluster.close();
    const { members } = JSON.parse(readFileSync(join(clusters.folder, 'cluster.json'), 'utf8')) as {
      members: { peerPort: number }[];
    };
    const port = members[1]?.peerPort ?? 0;
    const blocker = await occupy(port);
    await expect(clusters.start(3)).rejects.toThrow(
      `port ${port}, at which other members know member-2, is taken`,
    );
    blocker.close();
    await expect(clusters.start(1)).rejects.toThrow('has a cluster of 3, not of 1');
  });
});
