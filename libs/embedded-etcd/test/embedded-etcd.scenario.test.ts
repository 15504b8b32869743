import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { freePorts, isRunning, until } from '@tetrad/testkit';
import { silentLogger } from '@tetrad/types';
import { lackingForEtcd, startEtcdCluster, type EtcdCluster } from '../src/index.js';
import { idsOf, put, read } from './gateway.js';

const lacking = await lackingForEtcd();
if (lacking !== undefined) console.warn(`SKIPPED etcd: ${lacking}`);
const describeWithEtcd = lacking === undefined ? describe : describe.skip;

let base: string;
let folder: string;
let count = 0;
const clusters: EtcdCluster[] = [];

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'tetrad-etcd-'));
});
beforeEach(() => {
  folder = join(base, String((count += 1)));
});
afterEach(async () => {
  for (const cluster of clusters.splice(0)) await cluster.close();
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

async function start(members: 1 | 3 = 1, more: { keep?: boolean; quotaBytes?: number } = {}) {
  const first = await freePorts(2 * members);
  const ports = Array.from({ length: 2 * members }, (_, index) => first + index);
  const cluster = await startEtcdCluster({ folder, members, ports, logger: silentLogger, ...more });
  clusters.push(cluster);
  return cluster;
}

/** The member and endpoint of a place. */
function at(cluster: EtcdCluster, index: number) {
  const member = cluster.members[index];
  if (member === undefined) throw new Error(`no member ${index}`);
  return member;
}

/** Writes as soon as the cluster lets it. */
async function putPatiently(endpoint: string, key: string, value: string): Promise<void> {
  await until(() =>
    put(endpoint, key, value).then(
      () => true,
      () => false,
    ),
  );
}

/** Ids of the processes that have the folder's data in their command line: etcd, and the shells that guard it. */
function processesOnFolder(): { etcd: number; guards: number[] } {
  const pids = readdirSync('/proc').filter((name) => commandLine(name).includes(`--data-dir=${folder}/`));
  const isShell = (pid: string) => commandLine(pid).startsWith('/bin/sh');
  const [etcd] = pids.filter((pid) => !isShell(pid));
  return { etcd: Number(etcd), guards: pids.filter(isShell).map(Number) };
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

async function occupy(port: number): Promise<Server> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  return server;
}

const portOf = (endpoint: string) => Number(new URL(endpoint).port);

describeWithEtcd('a cluster of one member', () => {
  it('takes a write, and has it after kill -9 and a start', async () => {
    const cluster = await start();
    const member = at(cluster, 0);
    expect(cluster.endpoints).toEqual([member.endpoint]);
    await put(member.endpoint, 'kept', 'seven');
    await member.kill();
    expect(member.isRunning()).toBe(false);
    await expect(put(member.endpoint, 'kept', 'eight')).rejects.toThrow();
    await member.start();
    await member.whenHealthy();
    expect(await read(member.endpoint, 'kept')).toBe('seven');
  });

  it('is resumed on its folder with data, ids and port', async () => {
    const first = await start();
    const [endpoint = ''] = first.endpoints;
    await put(endpoint, 'kept', 'seven');
    const ids = await idsOf(endpoint);
    await first.close();
    const second = await start();
    expect(second.endpoints).toEqual([endpoint]);
    expect(await read(endpoint, 'kept')).toBe('seven');
    expect(await idsOf(endpoint)).toEqual(ids);
  });

  it('takes other ports when its own are taken by the time it is resumed', async () => {
    const first = await start();
    const [endpoint = ''] = first.endpoints;
    await put(endpoint, 'kept', 'seven');
    await first.close();
    const { members } = JSON.parse(readFileSync(join(folder, 'cluster.json'), 'utf8')) as {
      members: { clientPort: number; peerPort: number }[];
    };
    const taken = [members[0]?.clientPort ?? 0, members[0]?.peerPort ?? 0];
    const blockers = await Promise.all(taken.map(occupy));
    const second = await start();
    expect(second.endpoints).not.toEqual([endpoint]);
    expect(await read(second.endpoints[0] ?? '', 'kept')).toBe('seven');
    for (const blocker of blockers) blocker.close();
  });

  it('answers nothing while it is paused, and stops also then', async () => {
    const cluster = await start();
    const member = at(cluster, 0);
    await member.pause();
    expect(member.isRunning()).toBe(true);
    await expect(put(member.endpoint, 'kept', 'seven')).rejects.toThrow();
    await member.resume();
    await put(member.endpoint, 'kept', 'eight');
    await member.pause();
    await member.stop();
    expect(member.isRunning()).toBe(false);
  });

  it('is started again when it is killed, where it is kept up', async () => {
    const cluster = await start(1, { keep: true });
    const member = at(cluster, 0);
    await put(member.endpoint, 'kept', 'seven');
    await member.kill();
    await member.whenHealthy();
    expect(await read(member.endpoint, 'kept')).toBe('seven');
    await cluster.stop();
    expect(member.isRunning()).toBe(false);
  });

  it('is left as it ended where it is not', async () => {
    const cluster = await start();
    const member = at(cluster, 0);
    process.kill(processesOnFolder().etcd, 'SIGKILL');
    await until(() => !member.isRunning());
    await expect(member.whenHealthy()).rejects.toThrow('member-1 does not serve');
  });

  it('refuses writes when it is out of its quota', async () => {
    const cluster = await start(1, { quotaBytes: 1024 * 1024 });
    const [endpoint = ''] = cluster.endpoints;
    const fill = async () => {
      for (let index = 0; ; index += 1) await put(endpoint, `key-${index}`, 'x'.repeat(200_000));
    };
    await expect(fill()).rejects.toThrow('database space exceeded');
  });

  it('is empty after it was wiped, with the ids that it had', async () => {
    const cluster = await start();
    const member = at(cluster, 0);
    await put(member.endpoint, 'gone', 'seven');
    const ids = await idsOf(member.endpoint);
    await cluster.wipe(member);
    expect(await read(member.endpoint, 'gone')).toBeUndefined();
    expect(await idsOf(member.endpoint)).toEqual(ids);
  });

  it('goes back to old data with the ids that it had', async () => {
    const cluster = await start();
    const [endpoint = ''] = cluster.endpoints;
    const before = await put(endpoint, 'number', 'old');
    await cluster.saveData(join(base, 'saved'));
    const ids = await idsOf(endpoint);
    const after = await put(endpoint, 'number', 'new');
    await cluster.loadData(join(base, 'saved'));
    expect(await read(endpoint, 'number')).toBe('old');
    expect(await idsOf(endpoint)).toEqual(ids);
    expect([after, await put(endpoint, 'number', 'other')]).toEqual([before + 1, before + 1]);
  });
});

describeWithEtcd('a cluster of three members', () => {
  it('goes on without one, has no quorum without two, and goes on when one is back', async () => {
    const cluster = await start(3);
    const [first, second, third] = [0, 1, 2].map((index) => at(cluster, index));
    if (first === undefined || second === undefined || third === undefined) throw new Error('not three');
    await put(first.endpoint, 'number', 'one');
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
    const cluster = await start(3);
    const [endpoint = '', other = ''] = cluster.endpoints;
    const ids = await idsOf(endpoint);
    await put(endpoint, 'number', 'old');
    const file = join(base, 'snapshot');
    await cluster.snapshot(file);
    await put(endpoint, 'number', 'new');
    await cluster.restore(file);
    expect(await read(other, 'number')).toBe('old');
    expect((await idsOf(endpoint)).cluster).not.toBe(ids.cluster);
    await cluster.close();
    const resumed = await start(3);
    expect(resumed.endpoints[0]).toBe(endpoint);
    expect(await read(endpoint, 'number')).toBe('old');
  });

  it('stays as it is when a snapshot cannot be restored', async () => {
    const cluster = await start(3);
    const [endpoint = ''] = cluster.endpoints;
    await put(endpoint, 'number', 'one');
    const file = join(base, 'no-snapshot');
    writeFileSync(file, 'not a database');
    await expect(cluster.restore(file)).rejects.toThrow('embedded etcd: etcd');
    expect(await read(endpoint, 'number')).toBe('one');
  });

  it('takes a member in again that lost its data', async () => {
    const cluster = await start(3);
    const member = at(cluster, 1);
    await put(member.endpoint, 'kept', 'seven');
    const ids = await idsOf(member.endpoint);
    await cluster.wipe(member);
    expect(await read(member.endpoint, 'kept')).toBe('seven');
    const now = await idsOf(member.endpoint);
    expect([now.cluster, now.member === ids.member]).toEqual([ids.cluster, false]);
    // It counts: with another one killed there is a quorum.
    await at(cluster, 0).kill();
    await putPatiently(member.endpoint, 'kept', 'eight');
    await cluster.close();
    await start(3);
    expect(await read(member.endpoint, 'kept')).toBe('eight');
  });

  it('says which port between members is taken', async () => {
    const cluster = await start(3);
    await cluster.close();
    const { members } = JSON.parse(readFileSync(join(folder, 'cluster.json'), 'utf8')) as {
      members: { peerPort: number }[];
    };
    const port = members[1]?.peerPort ?? 0;
    const blocker = await occupy(port);
    await expect(start(3)).rejects.toThrow(`port ${port}, at which other members know member-2, is taken`);
    blocker.close();
    await expect(start(1)).rejects.toThrow('has a cluster of 3, not of 1');
  });
});

describeWithEtcd('a cluster and the process that owns it', () => {
  async function startHolder() {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'fixture-etcd.mjs'), folder], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
    const endpoint = await new Promise<string>((done, fail) => {
      child.stdout.once('data', (chunk: Buffer) => done(chunk.toString().trim()));
      child.once('close', (code) => fail(new Error(`ended with ${code}: ${complaint}`)));
    });
    return { child, endpoint, ...processesOnFolder() };
  }

  it('ends when that is killed, be it paused, and the next start has what was written', async () => {
    const holder = await startHolder();
    await put(holder.endpoint, 'kept', 'seven');
    process.kill(holder.etcd, 'SIGSTOP');
    holder.child.kill('SIGKILL');
    await until(() => !isRunning(holder.etcd));
    const cluster = await start();
    expect(await read(cluster.endpoints[0] ?? '', 'kept')).toBe('seven');
  });

  it('is not taken away from a process that uses it', async () => {
    const holder = await startHolder();
    await expect(start()).rejects.toThrow(`${folder} is in use by process ${holder.child.pid}`);
    await put(holder.endpoint, 'kept', 'seven');
    holder.child.kill('SIGKILL');
    await until(() => !isRunning(holder.etcd));
  });

  it('is ended by the next start when it was left behind without anybody', async () => {
    const holder = await startHolder();
    await put(holder.endpoint, 'kept', 'seven');
    for (const pid of holder.guards) process.kill(pid, 'SIGKILL');
    holder.child.kill('SIGKILL');
    await new Promise((done) => holder.child.once('exit', done));
    expect(isRunning(holder.etcd)).toBe(true);
    const cluster = await start();
    expect(isRunning(holder.etcd)).toBe(false);
    expect(portOf(cluster.endpoints[0] ?? '')).toBe(portOf(holder.endpoint));
    expect(await read(cluster.endpoints[0] ?? '', 'kept')).toBe('seven');
  });
});
