import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { isRunning, until } from '@tetrad/testkit';

const ROOT = join(import.meta.dirname, '../../..');

/** A command that starts a child, and runs until it is ended. */
const ENDLESS = 'sleep 3600 & echo "$$ $!" >pids.new && mv pids.new pids; wait';

let folder: string;
let launcher: ChildProcess | undefined;

/** The launcher in an otherwise empty repository, with an npm that runs a given script. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-launcher-'));
  for (const path of ['tetrad', 'package-lock.json', 'libs/devnet/launcher'])
    await cp(join(ROOT, path), join(folder, path), { recursive: true });
  for (const path of ['apps', 'bench', 'prisma', 'bin', 'apps/cli/bundle'])
    await mkdir(join(folder, path), { recursive: true });
  await writeFile(join(folder, 'apps/cli/bundle/main.js'), 'console.log("cli", ...process.argv.slice(2))');
});
afterEach(async () => {
  launcher?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** Starts the launcher; `npm` is what a shell does in place of npm, with its arguments. */
async function launch(
  npm: string,
  args: readonly string[] = ['up', '--nodes', '4'],
): Promise<{ ended: Promise<{ code: number | null; said: string }> }> {
  await writeFile(join(folder, 'bin/npm'), `#!/bin/sh\n${npm}\n`, { mode: 0o755 });
  const path = `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`;
  const child = spawn(join(folder, 'tetrad'), args, {
    env: { ...process.env, PATH: path, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  launcher = child;
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  return { ended: new Promise((done) => child.once('exit', (code) => done({ code, said }))) };
}

/** The processes of npm, once they are there. */
async function processesOfNpm(): Promise<number[]> {
  const file = join(folder, 'pids');
  await until(() => existsSync(file));
  return (await readFile(file, 'utf8')).trim().split(' ').map(Number);
}

const allGone = (pids: readonly number[]) => until(() => !pids.some(isRunning));

describe('the launcher', () => {
  it('installs, builds, and starts the command', async () => {
    const { ended } = await launch('echo "npm $*"');
    const { code, said } = await ended;
    expect(code).toBe(0);
    expect(said).toMatch(
      /npm ci --omit=dev .*\n[^]*npm run --silent build:programs\ntetrad: building the contracts\nnpm run --silent build:contracts\ncli up --nodes 4\n$/,
    );
    expect(await readFile(join(folder, '.tetrad/install.log'), 'utf8')).toMatch(/^npm ci /);
  });

  it('builds circuits and contracts for the commands that use them', async () => {
    const npm = 'echo "npm $*"';
    const builtBy = async (...args: string[]) =>
      [...(await (await launch(npm, args)).ended).said.matchAll(/^npm run --silent (.*)$/gm)].map(
        ([, part]) => part,
      );
    expect(await builtBy('signer')).toEqual(['build:programs']);
    expect(await builtBy('wallet')).toEqual([]);
    expect(await builtBy('node')).toEqual(['build:contracts']);
    expect(await builtBy('demo')).toEqual([]);
  });

  it.each([
    [['--help'], /^Usage: \.\/tetrad COMMAND/],
    [['help'], /^Usage: \.\/tetrad COMMAND/],
    [['bench', '--help'], /^Usage: \.\/tetrad bench [^]*docs\/reference\/options/],
    [['test', '-h'], /^Usage: \.\/tetrad test \[PATHS…\][^]*--shard=I\/N/],
    [['up', '--nodes', '2', '--help'], /^Usage: \.\/tetrad up [^]*--block-period MS/],
    [['--version'], /^\d+\.\d+\.\d+\n$/],
  ])('answers %j without installing or building', async (args, text) => {
    await cp(join(ROOT, 'apps/cli/package.json'), join(folder, 'apps/cli/package.json'));
    const { ended } = await launch('echo "npm $*"', args);
    expect(await ended).toEqual({ code: 0, said: expect.stringMatching(text) });
    expect(await readdir(folder)).not.toContain('.tetrad');
  });

  it('answers by what was built before, be it older than its sources, and names an unknown command', async () => {
    expect(await (await launch('exit 1', ['upp', '--help'])).ended).toEqual({
      code: 2,
      said: 'tetrad: unknown command upp; --help lists them\n',
    });
    await (
      await launch('echo "npm $*"')
    ).ended;
    await writeFile(join(folder, 'apps/newer.ts'), '');
    await writeFile(join(folder, 'package-lock.json'), '{}');
    expect((await (await launch('exit 1', ['up', '--help'])).ended).said).toBe('cli up --help\n');
    // The benchmarks answer for themselves, by packages of the tests, which are not there.
    await mkdir(join(folder, 'bench/dist'));
    await writeFile(join(folder, 'bench/dist/main.js'), '');
    expect((await (await launch('exit 1', ['bench', '--help'])).ended).said).toMatch(
      /^Usage: \.\/tetrad bench/,
    );
  });

  it('builds on request, and starts nothing then', async () => {
    const { said, code } = await (await launch('echo "npm $*"', ['build'])).ended;
    expect(code).toBe(0);
    expect(said).toMatch(/npm ci --omit=dev [^]*build:programs\n[^]*build:contracts\n$/);
    expect((await (await launch('echo "npm $*"', ['build', 'test'])).ended).said).toContain('--include=dev');
    expect(await (await launch('exit 1', ['build'])).ended).toEqual({ code: 0, said: '' });
  });

  it('adds the packages of the tests for the commands that use them, and installs all at once where none are', async () => {
    const npm = 'echo "npm $*"';
    const installedBy = async (...args: string[]) =>
      [
        ...(await (await launch(npm, args)).ended).said.matchAll(/^npm (ci|install) (.*) --no-audit.*$/gm),
      ].map(([, command, options]) => `${command} ${options}`);
    expect(await installedBy('up')).toEqual(['ci --omit=dev']);
    expect(await installedBy('test')).toEqual(['install --no-save --include=dev']);
    expect(await installedBy('up')).toEqual([]);
    expect(await installedBy('bench')).toEqual([]);
    await rm(join(folder, 'node_modules'), { recursive: true });
    expect(await installedBy('test')).toEqual(['ci --include=dev']);
    expect(await installedBy('up')).toEqual([]);
  });

  it('goes by content, so that a copied or touched checkout installs and builds nothing again', async () => {
    const npm = 'echo "npm $*"';
    const ranBy = async (...args: string[]) =>
      [...(await (await launch(npm, args)).ended).said.matchAll(/^npm (ci|install|run --silent \S+)/gm)].map(
        ([, command]) => command,
      );
    await writeFile(join(folder, 'apps/source.ts'), 'one');
    expect(await ranBy('test')).toEqual([
      'ci',
      'run --silent build:programs',
      'run --silent build:contracts',
    ]);
    const later = new Date(Date.now() + 60_000);
    for (const file of ['package-lock.json', 'apps/source.ts'])
      await utimes(join(folder, file), later, later);
    expect(await ranBy('test')).toEqual([]);
    const copy = `${folder}-copy`;
    await cp(folder, copy, { recursive: true });
    await rm(folder, { recursive: true });
    await rename(copy, folder);
    expect(await ranBy('test')).toEqual([]);
    await writeFile(join(folder, 'apps/source.test.ts'), 'a test is not built');
    expect(await ranBy('test')).toEqual([]);
    // As when packages are copied into a new clone: what was built is not there.
    await rm(join(folder, '.tetrad'), { recursive: true });
    expect(await ranBy('signer')).toEqual(['run --silent build:programs']);
    await writeFile(join(folder, 'apps/source.ts'), 'two');
    expect(await ranBy('signer')).toEqual(['run --silent build:programs']);
    await writeFile(join(folder, 'package-lock.json'), '{}');
    expect(await ranBy('signer')).toEqual(['ci', 'run --silent build:programs']);
  });

  it('takes packages that an earlier launcher installed, unless the lock file is newer', async () => {
    const stamps = join(folder, 'node_modules/.cache/tetrad');
    await mkdir(stamps, { recursive: true });
    for (const name of ['installed', 'installed-all']) await writeFile(join(stamps, name), '');
    const lock = join(folder, 'package-lock.json');
    const build = async () => (await (await launch('echo "npm $*"', ['build', 'test'])).ended).said;
    const date = (seconds: number) => new Date(Date.now() + seconds * 1000);
    await utimes(lock, date(-60), date(-60));
    expect(await build()).not.toContain('npm ci');
    await utimes(lock, date(60), date(60));
    expect(await build()).toBe('');
    for (const name of ['installed', 'installed-all']) await writeFile(join(stamps, name), '');
    expect(await build()).toContain('npm ci');
  });

  it('ends with what npm said when that fails, and installs again the next time', async () => {
    expect(await (await launch('echo "no such thing"; exit 7')).ended).toEqual({
      code: 1,
      said: expect.stringMatching(/no such thing\ntetrad: npm ci failed\n$/),
    });
    expect((await (await launch('echo "npm $*"')).ended).said).toContain('npm ci');
  });

  it.each(['install', 'build'])(
    'that is killed takes its %s along, and the next one goes on',
    async (step) => {
      const { ended } = await launch(step === 'install' ? ENDLESS : `[ "$1" = ci ] || { ${ENDLESS}; }`);
      const pids = await processesOfNpm();
      expect(pids.map(isRunning)).toEqual([true, true]);
      launcher?.kill('SIGKILL');
      await ended;
      await allGone(pids);
      expect((await (await launch('exit 0')).ended).code).toBe(0);
    },
  );

  it('ends at SIGTERM with what it started, and holds no lock then', async () => {
    const { ended } = await launch(ENDLESS);
    const pids = await processesOfNpm();
    launcher?.kill('SIGTERM');
    expect((await ended).code).toBe(143);
    await allGone(pids);
    expect(await readdir(join(folder, '.tetrad'))).toEqual(['install.log']);
  });
});
