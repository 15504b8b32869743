import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { freePort, freePorts } from '@tetrad/testkit';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((closed) => server.close(closed));
});

async function listen(port: number): Promise<void> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, '127.0.0.1', done));
}

/** The ports that another process gets. */
async function portsElsewhere(count: number): Promise<number> {
  const main = join(import.meta.dirname, '../dist/index.js');
  const code = `import { freePorts } from ${JSON.stringify(main)}; console.log(await freePorts(${count}));`;
  const args = ['--input-type=module', '--eval', code];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { PATH: process.env['PATH'] },
  });
  return Number(stdout);
}

describe('free ports', () => {
  it('can be listened on, all in the row, and lie below those of outgoing connections', async () => {
    const first = await freePorts(12);
    expect([first > 12_000, first + 12 <= 30_000]).toEqual([true, true]);
    for (let index = 0; index < 12; index++) await listen(first + index);
  });

  it('are given to one caller each, also for concurrent calls before any of them listens', async () => {
    const sizes = [1, 30, 2, 60, 1, 40, 99, 3];
    const firsts = await Promise.all(sizes.map((size) => freePorts(size)));
    const all = firsts.flatMap((first, at) =>
      Array.from({ length: sizes[at] ?? 0 }, (_, index) => first + index),
    );
    expect(new Set(all).size).toBe(all.length);
  });

  it('skip those that another process listens on', async () => {
    const first = await freePort();
    await listen(first + 2);
    const row = await freePorts(3);
    expect(row).toBeGreaterThan(first + 2);
  });

  it('are of another block in another process, while this one lives', async () => {
    const ours = await freePort();
    const theirs = await Promise.all([portsElsewhere(3), portsElsewhere(3)]);
    const blocks = [ours, ...theirs].map((port) => Math.floor(port / 200));
    expect(blocks.slice(1)).not.toContain(blocks[0]);
  });

  it.each([0, 200])('do not come %i in a row', async (count) => {
    await expect(freePorts(count)).rejects.toThrow(`${count} ports in a row`);
  });
});
