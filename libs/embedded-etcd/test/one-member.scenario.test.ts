import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { describeWithEtcd } from './describe-with-etcd.js';
import { idsOf, put, putPatiently, read, revisionOf } from './gateway.js';
import { processesOnFolder } from './processes-on-folder.js';
import { memberAt, occupy, testClusters } from './test-clusters.js';

const clusters = testClusters();

describeWithEtcd('a cluster of one member', () => {
  it('takes a write, and has it after kill -9 and a start', async () => {
    const cluster = await clusters.start();
    const member = memberAt(cluster, 0);
    expect(cluster.endpoints).toEqual([member.endpoint]);
    await putPatiently(member.endpoint, 'kept', 'seven');
    await member.kill();
    expect(member.isRunning()).toBe(false);
    await expect(put(member.endpoint, 'kept', 'eight')).rejects.toThrow();
    await member.start();
    await member.whenHealthy();
    expect(await read(member.endpoint, 'kept')).toBe('seven');
  });

  it('is resumed on its folder with data, ids and port', async () => {
    const first = await clusters.start();
    const [endpoint = ''] = first.endpoints;
    await putPatiently(endpoint, 'kept', 'seven');
    const ids = await idsOf(endpoint);
    await first.close();
    const second = await clusters.start();
    expect(second.endpoints).toEqual([endpoint]);
    expect(await read(endpoint, 'kept')).toBe('seven');
    expect(await idsOf(endpoint)).toEqual(ids);
  });

  it('takes other ports when its own are taken by the time it is resumed', async () => {
    const first = await clusters.start();
    const [endpoint = ''] = first.endpoints;
    await putPatiently(endpoint, 'kept', 'seven');
    await first.close();
    const { members } = JSON.parse(readFileSync(join(clusters.folder, 'cluster.json'), 'utf8')) as {
      members: { clientPort: number; peerPort: number }[];
    };
    const taken = [members[0]?.clientPort ?? 0, members[0]?.peerPort ?? 0];
    const blockers = await Promise.all(taken.map(occupy));
    const second = await clusters.start();
    expect(second.endpoints).not.toEqual([endpoint]);
    expect(await read(second.endpoints[0] ?? '', 'kept')).toBe('seven');
    for (const blocker of blockers) blocker.close();
  });

  it('answers nothing while it is paused, and can be stopped then', async () => {
    const cluster = await clusters.start();
    const member = memberAt(cluster, 0);
    await member.pause();
    expect(member.isRunning()).toBe(true);
    await expect(put(member.endpoint, 'kept', 'seven')).rejects.toThrow();
    await member.resume();
    await putPatiently(member.endpoint, 'kept', 'eight');
    await member.pause();
    await member.stop();
    expect(member.isRunning()).toBe(false);
  });

  it('is started again when it is killed, where it is kept up', async () => {
    const cluster = await clusters.start(1, { keep: true });
    const member = memberAt(cluster, 0);
    await putPatiently(member.endpoint, 'kept', 'seven');
    await member.kill();
    await member.whenHealthy();
    expect(await read(member.endpoint, 'kept')).toBe('seven');
    await cluster.stop();
    expect(member.isRunning()).toBe(false);
  });

  it('is left as it ended where it is not', async () => {
    const cluster = await clusters.start();
    const member = memberAt(cluster, 0);
    process.kill(processesOnFolder(clusters.folder).etcd, 'SIGKILL');
    await until(() => !member.isRunning());
    await expect(member.whenHealthy()).rejects.toThrow('member-1 does not serve');
  });

  it('refuses writes when it is out of its quota', async () => {
    const cluster = await clusters.start(1, { quotaBytes: 1024 * 1024 });
    const [endpoint = ''] = cluster.endpoints;
    const refusals: string[] = [];
    for (let index = 0; !refusals.some((one) => one.includes('database space exceeded')); index += 1)
      await put(endpoint, `key-${index}`, 'x'.repeat(200_000)).catch((error) => refusals.push(String(error)));
    expect(await read(endpoint, 'key-0')).toHaveLength(200_000);
  });

  it('is empty after it was wiped, with the ids that it had', async () => {
    const cluster = await clusters.start();
    const member = memberAt(cluster, 0);
    await putPatiently(member.endpoint, 'gone', 'seven');
    const ids = await idsOf(member.endpoint);
    await cluster.wipe(member);
    expect(await read(member.endpoint, 'gone')).toBeUndefined();
    expect(await idsOf(member.endpoint)).toEqual(ids);
  });

  it('goes back to old data with the ids that it had', async () => {
    const cluster = await clusters.start();
    const [endpoint = ''] = cluster.endpoints;
    await putPatiently(endpoint, 'number', 'old');
    const before = await revisionOf(endpoint);
    await cluster.saveData(join(clusters.base, 'saved'));
    const ids = await idsOf(endpoint);
    expect(await putPatiently(endpoint, 'number', 'new')).toBeGreaterThan(before);
    await cluster.loadData(join(clusters.base, 'saved'));
    expect(await read(endpoint, 'number')).toBe('old');
    expect(await idsOf(endpoint)).toEqual(ids);
    expect(await revisionOf(endpoint)).toBe(before);
  });

  it('reports etcd’s own error when it does not start', async () => {
    const first = await clusters.start();
    await first.close();
    writeFileSync(join(clusters.folder, 'member-1/data-1/member/snap/db'), 'not a database');
    await expect(clusters.start()).rejects.toThrow(
      /^embedded etcd: member-1 (did not start|does not serve): .*(invalid|database).* \(see .*etcd\.log\)$/,
    );
  });
});
