import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { isRunning, until } from '@tetrad/testkit';
import { describeWithEtcd } from './describe-with-etcd.js';
import { putPatiently, read } from './gateway.js';
import { processesOnFolder } from './processes-on-folder.js';
import { testClusters } from './test-clusters.js';

const clusters = testClusters();

describeWithEtcd('a cluster and the process that owns it', () => {
  async function startHolder() {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'fixture-etcd.mjs'), clusters.folder], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
    const endpoint = await new Promise<string>((done, fail) => {
      child.stdout.once('data', (chunk: Buffer) => done(chunk.toString().trim()));
      child.once('close', (code) => fail(new Error(`ended with ${code}: ${complaint}`)));
    });
    return { child, endpoint, ...processesOnFolder(clusters.folder) };
  }

  it('ends when its owner is killed, even while paused, and the next start has all writes', async () => {
    const holder = await startHolder();
    await putPatiently(holder.endpoint, 'kept', 'seven');
    process.kill(holder.etcd, 'SIGSTOP');
    holder.child.kill('SIGKILL');
    await until(() => !isRunning(holder.etcd));
    const cluster = await clusters.start();
    expect(await read(cluster.endpoints[0] ?? '', 'kept')).toBe('seven');
  });

  it('is not taken over from a process that uses it', async () => {
    const holder = await startHolder();
    await expect(clusters.start()).rejects.toThrow(
      `${clusters.folder} is in use by process ${holder.child.pid}`,
    );
    await putPatiently(holder.endpoint, 'kept', 'seven');
    holder.child.kill('SIGKILL');
    await until(() => !isRunning(holder.etcd));
  });

  it('is ended by the next start when it was left behind without an owner', async () => {
    const holder = await startHolder();
    await putPatiently(holder.endpoint, 'kept', 'seven');
    // So that it does not close the pipe of one guard while another one still looks at it.
    holder.child.kill('SIGSTOP');
    for (const pid of holder.guards) process.kill(pid, 'SIGKILL');
    await until(() => !holder.guards.some(isRunning));
    holder.child.kill('SIGKILL');
    await new Promise((done) => holder.child.once('exit', done));
    expect(isRunning(holder.etcd)).toBe(true);
    const cluster = await clusters.start();
    expect(isRunning(holder.etcd)).toBe(false);
    expect(await read(cluster.endpoints[0] ?? '', 'kept')).toBe('seven');
  });
});
