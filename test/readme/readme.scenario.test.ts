import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import { PORTS_PER_NODE } from '@tetrad/devnet';
import { freePorts } from '@tetrad/testkit';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'tetrad-readme-'));
const env = { ...process.env, NODE_OPTIONS: '' };

/** The commands in the README's shell blocks. */
const commands = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^```sh\n([^`]*)```$/gm)].flatMap(
  ([, block]) => (block as string).trim().split('\n'),
);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the commands of the README', () => {
  it('are the ones that are run here, and the suite that runs them', () => {
    expect(commands).toEqual([
      './tetrad demo',
      './tetrad up --endpoints-file endpoints.json',
      './tetrad test',
    ]);
  });

  it('./tetrad demo exits 0 and reports that every step held', () => {
    const run = spawnSync(join(root, 'tetrad'), ['demo'], { cwd: folder, env, encoding: 'utf8' });
    expect({ status: run.status, errors: run.status === 0 ? '' : run.stderr }).toEqual({
      status: 0,
      errors: '',
    });
    expect(run.stdout).toMatch(/All \d+ steps held/);
  }, 900_000);

  it('./tetrad up --endpoints-file endpoints.json writes its addresses, and stops at Ctrl-C', async () => {
    const file = join(folder, 'endpoints.json');
    // Other ports than the documented ones, which may be in use on the host.
    const port = await freePorts(4 * PORTS_PER_NODE);
    const args = ['up', '--endpoints-file', 'endpoints.json', '--port-base', String(port)];
    const child = spawn(join(root, 'tetrad'), args, {
      cwd: folder,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const exited = new Promise<number | null>((done) => child.once('exit', done));
    while (statSync(file, { throwIfNoEntry: false }) === undefined) {
      expect(child.exitCode).toBeNull();
      await sleep(200);
    }
    const endpoints = JSON.parse(readFileSync(file, 'utf8')) as { nodes: { rpc: string }[] };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(endpoints.nodes[0]?.rpc ?? '', { method: 'POST', headers, body });
    expect(await response.json()).toMatchObject({ result: '0x539' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    child.kill('SIGINT');
    expect(await exited).toBe(0);
  }, 900_000);
});
