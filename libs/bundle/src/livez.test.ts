import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ROOT } from './services.js';

/** The images have it from Debian; another host may not. */
const hasPerl = spawnSync('perl', ['-MIO::Socket::IP', '-e', '1']).status === 0;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-livez-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

let server: Server;
let status: number;
let asked: string[];
let port: number;
beforeEach(async () => {
  status = 200;
  asked = [];
  server = createServer(({ url = '', headers }, response) => {
    asked.push(`${headers.host} ${url}`);
    response.writeHead(status).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  ({ port } = server.address() as AddressInfo);
});
afterEach(() => new Promise((done) => server.close(done)));

/**
 * Runs the check with a default port and variables.
 * @returns exit code and standard error
 */
function check(
  defaultPort: number,
  variables: Readonly<Record<string, string>> = {},
  commandLine = '/dev/null',
): Promise<{ readonly code: number; readonly says: string }> {
  return new Promise((done) => {
    const words = [`${ROOT}libs/bundle/livez.pl`, 'TETRAD_NODE', String(defaultPort), commandLine];
    const env = { PATH: process.env['PATH'], ...variables };
    const child = execFile('perl', words, { env }, (_error, _out, says) =>
      done({ code: child.exitCode ?? -1, says }),
    );
  });
}

/** @returns a file as the system has it of a process */
async function writeWords(words: readonly string[]): Promise<string> {
  const path = join(folder, 'cmdline');
  await writeFile(path, words.map((word) => `${word}\0`).join(''));
  return path;
}

(hasPerl ? describe : describe.skip)('the health check of the images', () => {
  it('asks /livez at the default port', async () => {
    expect(await check(port)).toEqual({ code: 0, says: '' });
    expect(asked).toEqual([`127.0.0.1:${port} /livez`]);
  });

  it('asks where the variables of the service say', async () => {
    const own = { TETRAD_NODE_OPS_LISTEN_PORT: String(port), TETRAD_NODE_OPS_LISTEN_HOST: '0.0.0.0' };
    expect(await check(9, own)).toEqual({ code: 0, says: '' });
    expect(await check(port, { TETRAD_NODE_OPS_LISTEN_PORT: '' })).toEqual({ code: 0, says: '' });
  });

  it('asks where the flags of the service say, before its variables', async () => {
    const variables = { TETRAD_NODE_OPS_LISTEN_PORT: '9' };
    for (const flags of [[`--ops-listen-port=${port}`], ['--ops-listen-port', `${port}`]]) {
      const words = ['node', 'bundle/main.js', '--ops-listen-host', '0.0.0.0', ...flags];
      expect(await check(9, variables, await writeWords(words))).toEqual({ code: 0, says: '' });
    }
  });

  it.each([
    ['whole names', (found: number) => `http-listen-port = 1\nops-listen-port = ${found} # of health\n`],
    ['sections', (found: number) => `[http]\nlisten-port = 1\n[ops]\nlisten-port = ${found}\n`],
  ])('asks where the configuration file says, by %s', async (_what, text) => {
    const file = join(folder, 'config.toml');
    await writeFile(file, text(port));
    const commandLine = await writeWords(['node', 'bundle/main.js', '--config-file', file]);
    expect(await check(9, {}, commandLine)).toEqual({ code: 0, says: '' });
    const own = { TETRAD_NODE_OPS_LISTEN_PORT: '9' };
    expect((await check(port, own, commandLine)).code).not.toBe(0);
  });

  it('fails for another status, and for a port without a listener', async () => {
    status = 503;
    const unhealthy = await check(port);
    expect(unhealthy.code).not.toBe(0);
    expect(unhealthy.says).toMatch(/ 503 /);
    expect((await check(9)).code).not.toBe(0);
  });
});
