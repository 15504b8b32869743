import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PORTS_PER_NODE, PORT_STEP, freePorts } from '@tetrad/devnet';
import { until } from '@tetrad/testkit';
import { blocksOf } from './pages/page-shell.js';
import { missingMethods } from './served-methods.js';
import { MAIN } from './tetrad-process.js';

const blocks = blocksOf('how-to/new-network.md');
/** The pages that go on where the permissioned network is up. */
const permissions = ['permissions.md', 'consortium.md']
  .flatMap((page) => blocksOf(`how-to/${page}`))
  .join('\n');

/** Files in which the page stores the ids of the processes that it starts. */
const pidFiles = [
  ...['node0', 'node1', 'node2', 'node3'].flatMap((name) => [
    `my-network/${name}/pid`,
    `my-network/${name}/manager.pid`,
  ]),
  'my-network/signer.pid',
  'permitted/node0/pid',
  'permitted/node0/manager.pid',
];

let folder: string;
let script: string;
let port: number;
let shell: ChildProcess | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-page-'));
  // The program that the launcher runs after the build.
  await writeFile(join(folder, 'tetrad'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
  await chmod(join(folder, 'tetrad'), 0o755);
  port = await freePorts(5 * PORTS_PER_NODE);
  script = blocks.join('\necho "---"\n').replace('PORT=22000\n', `PORT=${port}\n`);
});
afterAll(async () => {
  // However the page ends, no process that it started may outlive it. The id of an ended process may have been reused.
  if (shell?.exitCode === 0) return rm(folder, { recursive: true, force: true });
  shell?.kill();
  for (const file of pidFiles) {
    const pid = Number(await readFile(join(folder, file), 'utf8').catch(() => ''));
    if (pid > 0)
      try {
        process.kill(pid);
      } catch {
        // It has ended, as it should.
      }
  }
  await rm(folder, { recursive: true, force: true });
});

/** When the page is done with its permissioned network, it waits: the methods of that network are called meanwhile. */
const ASKED = 'touch ../../permitted.up; until [ -e ../../permitted.asked ]; do sleep 0.2; done';
/** The ports of that network, for clients and operations, on the pages that go on. */
const PERMITTED_PORTS = /\b2204([01])\b/g;
const LAST_KILL = 'kill $(cat pid manager.pid)';

/**
 * @returns methods that the permissioned node does not know; undefined when the shell ended before the node was ready
 */
async function askPermitted(): Promise<readonly string[] | undefined> {
  const isThere = () => existsSync(join(folder, 'permitted.up'));
  await until(() => isThere() || typeof shell?.exitCode === 'number');
  if (!isThere()) return undefined;
  try {
    return await missingMethods(`http://127.0.0.1:${port + 4 * PORT_STEP}`, 'node');
  } finally {
    await writeFile(join(folder, 'permitted.asked'), '');
  }
}

/** Runs the text in a shell that ends at the first command that fails. */
function run(text: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn('sh', ['-eu', '-c', text], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  shell = child;
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => done({ code, stdout, stderr }));
  });
}

describe('docs/how-to/new-network.md, permissions.md and consortium.md', () => {
  it('takes a newcomer from nothing to four nodes that decide together, private payloads, a signer behind tokens, and permissions', async () => {
    expect(script).toMatch(/^PORT=(?!22000)\d+\n/);
    // The nodes are waited for, so that they end with the shell.
    expect(script).toContain(LAST_KILL);
    const consortium = permissions.replace(PERMITTED_PORTS, (_, place) =>
      String(port + 4 * PORT_STEP + Number(place)),
    );
    // In the same shell, which waits for the node that the pages start.
    const further = `cd ../..\n${consortium}\ncd permitted/node0\n${ASKED}`;
    const waiting = script.replace(LAST_KILL, () => `${further}\n${LAST_KILL}`);
    const ended = run(waiting.replace(/^kill [^&]*$/gm, '$&\nwait'));
    const missing = await askPermitted();
    const { code, stdout, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^made \S+token-key, .*\n$/) });
    expect(missing).toEqual([]);
    const parts = stdout.split('---\n');
    expect(parts).toHaveLength(blocks.length);
    const validators = /"result":\[([^\]]*)\]/.exec(parts[4] ?? '')?.[1]?.split(',');
    expect(validators).toHaveLength(4);
    expect(parts[4]).toContain('"result":"0x3"');
    const address = /^address +(0x[0-9a-f]{40})$/m.exec(parts[1] ?? '')?.[1];
    expect(validators).toContain(`"${address}"`);
    const hash = /^genesis +(0x[0-9a-f]{64})$/m.exec(parts[1] ?? '')?.[1];
    for (const name of ['node0', 'node3'])
      expect(await readFile(join(folder, 'my-network', name, 'node.log'), 'utf8')).toContain(
        hash ?? 'no hash',
      );
    expect((await stat(join(folder, 'my-network/node0/nodekey'))).mode & 0o777).toBe(0o600);
    expect(parts[5]).toMatch(/"key":"[A-Za-z0-9+/]{86}=="/);
    const account = /"result":\["(0x[0-9a-f]{40})"\]/.exec(parts[8] ?? '')?.[1];
    expect(await readFile(join(folder, 'my-network/signer-key.txt'), 'utf8')).toContain(
      account ?? 'no account',
    );
    expect(parts[11]).toContain('ADMINORG');
    expect(parts[12]).toContain('"roleId":"MEMBER"');
    expect(parts[12]).toMatch(/"result":true[^]*Action completed successfully[^]*$/);
    expect(parts[12]).toContain('"fullOrgId":"BANK"');
    const enode = /^enode +(enode:.*)$/m.exec(parts[14] ?? '')?.[1];
    const ours = JSON.parse(await readFile(join(folder, 'ours/static-nodes.json'), 'utf8')) as string[];
    expect(ours).toEqual([enode]);
    // It starts a dozen processes one after the other, and some twice.
  }, 1_800_000);
});
