import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const ROOT = resolve(import.meta.dirname, '../../..');
const JEST = join(ROOT, 'libs/testkit/jest');
const IMPORTS = `import { expect, it } from '@jest/globals'; import { builtFrom, by } from './src/source.ts'; import pg from '${ROOT}/node_modules/pg/lib/index.js'; import 'adds-to-realm';`;
const PACKAGE = `globalThis.ofPackage = 'added'; process.on('SIGWINCH', () => undefined);`;

const SOURCE = `export const builtFrom = 'not built'; export const by = [];`;
const BUILT = SOURCE.replace('not built', 'a source');

/** One worker runs them in this order. */
const FILES = {
  'a-leaks': `it('leaks', () => {
    globalThis.leaked = 1;
    globalThis.fetch = () => 'leaked';
    process.env.LEAKED = '1';
    delete process.env.KEPT;
    process.exitCode = 0;
    process.on('SIGUSR2', () => undefined);
    pg.loadedBy = 'a';
    by.push('a');
  });`,
  'b-changes-a-builtin': `it('changes it', () => { Array.prototype.at = () => 'changed'; });`,
  'c-changes-a-package': `it('changes it', () => { pg.defaults.port = 1; });`,
  'd-has-a-realm-of-its-own': `/** @jest-environment node */
  it('shares no package', () => { expect(pg.loadedBy).toBeUndefined(); Array.prototype.at = () => 'own'; });`,
  'd-has-sources-of-its-own': `/** @jest-environment-options {"ownSources": true} */
  it('shares packages alone', () => { expect([pg.loadedBy, builtFrom, ...by]).toEqual(['a', 'not built']); });`,
  'e-finds-all-as-it-was': `it('finds it', async () => {
    expect(globalThis.leaked).toBeUndefined();
    expect(globalThis.ofPackage).toBe('added');
    expect(process.listenerCount('SIGWINCH')).toBe(1);
    expect(String(fetch)).not.toContain('leaked');
    expect([process.env.LEAKED, process.env.KEPT]).toEqual([undefined, 'kept']);
    expect(process.listenerCount('SIGUSR2')).toBe(0);
    expect(['first'].at(0)).toBe('first');
    expect(pg.defaults.port).toBe(5432);
  });
  it('shares packages, sources as they are built, and errors', async () => {
    expect(pg.loadedBy).toBe('a');
    expect([builtFrom, ...by]).toEqual(['a source', 'a']);
    const { readFile } = await import('node:fs/promises');
    await expect(readFile('/no/such/file')).rejects.toBeInstanceOf(Error);
  });`,
};

interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly message: string;
}

let folder: string;
let results: Map<string, FileResult>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-realm-test-'));
  for (const [name, code] of Object.entries(FILES)) {
    await writeFile(join(folder, `${name}.test.mjs`), code.replace(/^(?=it\()|(?<=^\/\*\*.*\n)/, IMPORTS));
  }
  await mkdir(join(folder, 'node_modules/adds-to-realm'), { recursive: true });
  await writeFile(join(folder, 'node_modules/adds-to-realm/index.js'), PACKAGE);
  for (const [path, code] of [
    ['src/source.ts', SOURCE],
    ['dist/source.js', BUILT],
  ] as const) {
    await mkdir(join(folder, dirname(path)));
    await writeFile(join(folder, path), code);
  }
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const config = {
    rootDir: folder,
    testMatch: ['**/*.test.mjs'],
    transform: {},
    extensionsToTreatAsEsm: ['.ts'],
    testEnvironment: join(JEST, 'one-realm-environment.mjs'),
    testRunner: join(JEST, 'time-boxed-runner.mjs'),
    testSequencer: join(JEST, 'longest-first.mjs'),
  };
  const report = join(folder, 'report.json');
  await runJest(['-i', '--json', `--outputFile=${report}`, '--config', JSON.stringify(config)]);
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as { testResults: FileResult[] };
  results = new Map(testResults.map((result) => [result.name.replace(/^.*\/|\.test\.mjs$/g, ''), result]));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Ends with an error, as two of the files fail. */
function runJest(args: readonly string[]): Promise<void> {
  const program = ['--experimental-vm-modules', '--no-warnings', join(ROOT, 'node_modules/jest/bin/jest.js')];
  const env = { ...process.env, KEPT: 'kept', TETRAD_TEST_DEADLINE: '' };
  return new Promise((done) => execFile(process.execPath, [...program, ...args], { env }, () => done()));
}

describe('test files of one worker', () => {
  it.each(['a-leaks', 'd-has-a-realm-of-its-own', 'd-has-sources-of-its-own', 'e-finds-all-as-it-was'])(
    'passes: %s',
    (name) => {
      expect(results.get(name)).toMatchObject({ status: 'passed', message: '' });
    },
  );

  it.each([
    ['b-changes-a-builtin', 'the test file changed Array.prototype.at, which later files would see'],
    ['c-changes-a-package', /changed \/.*\/pg\/lib\/index\.js defaults\.port, which later files would see/],
  ])('fails: %s', (name, message) => {
    expect(results.get(name)?.status).toBe('failed');
    expect(results.get(name)?.message).toMatch(message);
  });
});
