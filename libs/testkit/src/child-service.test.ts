import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  isServiceReady,
  startChildService,
  type ChildService,
  type ChildServiceOptions,
} from './child-service.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-child-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts a process of a line of JavaScript. */
function start(script: string, options: Partial<ChildServiceOptions> = {}): Promise<ChildService> {
  return startChildService({
    name: 'child',
    command: process.execPath,
    args: ['-e', script],
    environment: { NODE_OPTIONS: '' },
    logFile: join(folder, 'child.log'),
    isReady: async () => true,
    ...options,
  });
}
const FOREVER = 'setInterval(() => undefined, 60_000)';

/** A server that answers every request with success, as another program on the port may. */
async function startStranger(pid: unknown) {
  const server = createServer((_request, response) => response.end(JSON.stringify({ ready: true, pid })));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => server.close() };
}

describe('a service in a process of its own', () => {
  it('is not taken for ready when another program answers', async () => {
    const stranger = await startStranger(1);
    expect(await isServiceReady(stranger.url)).toBe(true);
    expect(await isServiceReady(stranger.url, process.pid)).toBe(false);
    const isReady = (pid: number) => isServiceReady(stranger.url, pid);
    const starting = start('console.error("port 1 is in use"); process.exitCode = 3', { isReady });
    await expect(starting).rejects.toThrow('child ended with code 3: port 1 is in use');
    stranger.close();
  });

  it('reports the cause first, from the service’s own line, and where the rest is', async () => {
    const words = ['tetrad node: no space left', '{"level":"info"}', '{"level":"info"}', '{"level":"info"}'];
    const starting = start(`console.error(${JSON.stringify(words.join('\n'))}); process.exitCode = 1`, {
      isReady: async () => false,
    });
    await expect(starting).rejects.toThrow(
      `child ended with code 1: tetrad node: no space left\n  its log: ${join(folder, 'child.log')}`,
    );
  });

  it('is not ready once it has ended, whatever the check returns', async () => {
    const isReady = async (pid: number) => {
      while (process.kill(pid, 0)) await new Promise((tick) => setTimeout(tick, 10));
      return true;
    };
    const always = (pid: number) => isReady(pid).catch(() => true);
    await expect(start('process.exitCode = 4', { isReady: always })).rejects.toThrow(
      'child ended with code 4',
    );
  });

  it('that cannot be run reports it', async () => {
    await expect(start('', { command: join(folder, 'none') })).rejects.toThrow(
      /child does not start: .*ENOENT/,
    );
  });

  it('is ended when the start is aborted', async () => {
    const controller = new AbortController();
    let pid = 0;
    const isReady = async (child: number) => {
      pid = child;
      controller.abort(new Error('never mind'));
      return false;
    };
    await expect(start(FOREVER, { isReady, signal: controller.signal })).rejects.toThrow('never mind');
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('reports when it ends unexpectedly, and only then', async () => {
    const ends: string[] = [];
    const onEnded = (how: string) => ends.push(how);
    const asked = await start(FOREVER, { onEnded });
    await asked.stop();
    const killed = await start(FOREVER, { onEnded });
    process.kill(killed.pid, 'SIGKILL');
    await killed.exited;
    const failed = await start('setTimeout(() => process.exit(5), 200)', {
      onEnded,
    });
    await failed.exited;
    await new Promise((tick) => setImmediate(tick));
    expect(ends).toEqual(['was ended by SIGKILL', expect.stringMatching(/^ended with code 5/)]);
  });
});
