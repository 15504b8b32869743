import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');
const NOT_COPIED = /\/(node_modules|dist|apps\/[a-z-]+\/bundle|\.git|\.nx|\.tetrad|__pycache__)$/;
/** The compiler of `npm run typecheck`. */
const TSC = 'node_modules/@typescript/native/bin/tsc';

const METHODS = [
  { service: 'node', name: 'miner_pause', after: 'miner_stop', tests: 'apps/node/test/rpc/standard' },
  {
    service: 'wallet',
    name: 'Coin.WalletCount',
    after: 'Coin.WalletHas',
    tests: 'apps/wallet/test/rpc/Coin',
  },
  { service: 'signer', name: 'eth_signable', after: 'eth_accounts', tests: 'apps/signer/test/rpc/eth' },
  {
    service: 'rollup-operator',
    name: 'rollup_isFrozen',
    after: 'rollup_getBatchQueue',
    tests: 'apps/rollup-operator/test/rpc/rollup',
  },
];

/** Without what Nx tells the programs that it starts, such as the root of this checkout. */
const ENVIRONMENT = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('NX_')),
);

let folder: string;

/** Links to the packages of this checkout, but to those of the workspace in the copy. */
function linkPackages(): void {
  const packages = join(ROOT, 'node_modules');
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(packages)) {
    if (name === '@tetrad')
      cpSync(join(packages, name), join(folder, 'node_modules', name), {
        recursive: true,
        verbatimSymlinks: true,
      });
    else if (name !== '.cache') symlinkSync(join(packages, name), join(folder, 'node_modules', name));
  }
}

/**
 * Runs a program with Node.js in the copy.
 * @returns what it said
 * @throws with that
 */
function run(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...ENVIRONMENT, NODE_OPTIONS: '', NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false' },
  });
  if (status !== 0) throw new Error(`node ${args.join(' ')}\n${stdout}${stderr}`);
  return stdout + stderr;
}

const generate = (...words: readonly string[]) =>
  run('node_modules/nx/dist/bin/nx.js', 'g', ...words, '--no-interactive');
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const lines = (text: string) => new Set(text.split('\n'));
const addedTo = (file: string) => {
  const before = lines(readFileSync(join(ROOT, file), 'utf8'));
  return read(file)
    .split('\n')
    .filter((line) => !before.has(line));
};
/** Sources below a folder of the copy that this checkout does not have, or has with another text. */
function writtenBelow(path: string): string[] {
  return readdirSync(join(folder, path), { recursive: true, encoding: 'utf8' })
    .map((name) => join(path, name))
    .filter((file) => /^(?!.*\/(?:node_modules|dist|bundle)\/).*\.(?:ts|json)$/.test(file))
    .filter((file) => {
      const before = join(ROOT, file);
      return !existsSync(before) || readFileSync(before, 'utf8') !== read(file);
    });
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tetrad-generators-'));
  cpSync(ROOT, folder, {
    recursive: true,
    filter: (source) => !NOT_COPIED.test(source),
  });
  linkPackages();
  run('libs/bundle/transpile.mjs');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the generators', () => {
  it('write a library that others can import, with its owner, as npm would lock it', () => {
    generate('@tetrad/tools:library', 'libs/gossip', '--layer=domain', '--scope=shared');
    expect(JSON.parse(read('libs/gossip/package.json'))).toMatchObject({
      name: '@tetrad/gossip',
      nx: { name: 'gossip', tags: ['layer:domain', 'scope:shared'] },
    });
    expect(addedTo('CODEOWNERS')).toEqual(['/libs/gossip/                       @tetrad/platform']);
    expect(addedTo('package-lock.json').map((line) => line.trim())).toEqual([
      '"libs/gossip": {',
      '"name": "@tetrad/gossip",',
      '"node_modules/@tetrad/gossip": {',
      '"resolved": "libs/gossip",',
    ]);
    expect(readdirSync(join(folder, 'node_modules/@tetrad/gossip')).sort()).toEqual(['package.json', 'src']);
  });

  it.each([
    ['libs/else/gossip', 'libs/else/gossip: not libs/NAME'],
    ['libs/signer', 'signer is the name of an app'],
  ])('refuse %s as a library', (path, message) => {
    expect(() => generate('@tetrad/tools:library', path, '--layer=domain', '--scope=shared')).toThrow(
      message,
    );
  });

  it.each(METHODS)('write a method of the $service: definition, handler and test', (method) => {
    const { service, name, after, tests } = method;
    // The documents of all services are made at once, with the last method.
    const options = method === METHODS.at(-1) ? [] : ['--skip-docs'];
    generate('@tetrad/tools:method', service, name, `--after=${after}`, ...options);
    expect(read(`${tests}/${name}.rpc.test.ts`)).toContain(`('${name}')).toBe(true)`);
    expect(read(`docs/reference/methods/${service}.md`).includes(name)).toBe(options.length === 0);
  });

  it.each(METHODS)('write the documents with the method of the $service', ({ service, name }) => {
    expect(read(`docs/reference/methods/${service}.md`)).toContain(name);
    expect(read(`docs/reference/openrpc/${service}.json`)).toContain(`"${name}"`);
  });

  it('refuse a method that there is, and one after a method that there is not', () => {
    const after = (name: string, other: string) => () =>
      generate('@tetrad/tools:method', 'node', name, `--after=${other}`);
    expect(after('miner_start', 'miner_stop')).toThrow('miner_start is defined in libs/api/node/src');
    expect(after('miner_halt', 'miner_none')).toThrow('miner_none is not defined in libs/api/node/src');
  });

  it('write the migration to an edited schema, its checksum, and the client', () => {
    const schema = 'prisma/wallet/backups.prisma';
    writeFileSync(
      join(folder, schema),
      read(schema).replace('  kind String   @id\n', '  kind String   @id\n  by   String?\n'),
    );
    generate('@tetrad/tools:migration', 'wallet', 'backup_by');
    const added = addedTo('prisma/migrations.sha256');
    expect(added).toEqual([
      expect.stringMatching(/^[0-9a-f]{64} {2}wallet\/migrations\/\d{14}_backup_by\/migration\.sql$/),
    ]);
    expect(read(`prisma/${added[0]?.split('  ')[1]}`)).toContain('ALTER TABLE "backup_event" ADD COLUMN');
    expect(readdirSync(join(folder, 'libs/wallet/store/src/generated'))).toContain('tables.ts');
  });

  it('leave types that are right, and files in the format of the repository', () => {
    // Its checkers would each check the types that they share, for twice the processor time.
    run(TSC, '-p', '.', '--singleThreaded');
    const written = ['libs/gossip', 'libs/api', ...METHODS.map(({ service }) => `apps/${service}`)].flatMap(
      writtenBelow,
    );
    // Of a method: definition, handler and test.
    expect(written.length).toBeGreaterThan(3 * METHODS.length);
    run('node_modules/prettier/bin/prettier.cjs', '--check', ...written);
  });
});
