import { readFileSync, readdirSync, existsSync } from 'node:fs';
import { join } from 'node:path';

const root = import.meta.dirname;

/** Maps every workspace package to its source, so that tests need no build. */
function workspacePackages() {
  const mapper = {};
  for (const group of [
    'apps',
    'libs',
    'libs/api',
    'libs/node/chain',
    'libs/node/permissions',
    'libs/node/privacy',
    'libs/rollup',
    'libs/signer',
    'libs/wallet',
    '.',
  ]) {
    for (const entry of readdirSync(join(root, group))) {
      const manifest = join(root, group, entry, 'package.json');
      if (entry === 'node_modules' || !existsSync(manifest)) continue;
      const { name, exports = {} } = JSON.parse(readFileSync(manifest, 'utf8'));
      if (!name?.startsWith('@tetrad/')) continue;
      mapper[`^${name}$`] = join(root, group, entry, 'src/index.ts');
      // Entries without types are programs, which are started from where they are built.
      for (const [path, { types }] of Object.entries(exports)) {
        if (path === '.' || types === undefined) continue;
        const source = types.replace('./dist/', 'src/').replace(/\.d\.ts$/, '.ts');
        mapper[`^${name}/${path.slice(2)}$`] = join(root, group, entry, source);
      }
    }
  }
  return mapper;
}

export default {
  rootDir: root,
  testMatch: ['**/*.test.ts'],
  // The targets of Nx add to this list (nx-targets.mjs).
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '\\.type\\.test\\.ts$'],
  modulePathIgnorePatterns: ['/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  moduleNameMapper: {
    ...workspacePackages(),
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // Properties are checked on the same values in every run, unless it is asked for others (CONTRIBUTING.md).
    '^fast-check$': '<rootDir>/libs/testkit/jest/seeded-fast-check.mjs',
    // A contract is compiled once in a run.
    '^solc$': '<rootDir>/libs/testkit/jest/kept-solc.cjs',
  },
  testEnvironment: '<rootDir>/libs/testkit/jest/one-realm-environment.mjs',
  // Modules of test files that are over are not all given back: a worker that keeps them grows to the limit of its heap,
  // and collects garbage for longer than it works.
  workerIdleMemoryLimit: '2GB',
  testRunner: '<rootDir>/libs/testkit/jest/time-boxed-runner.mjs',
  testSequencer: '<rootDir>/libs/testkit/jest/longest-first.mjs',
  globalSetup: '<rootDir>/libs/testkit/jest/run-setup.mjs',
  globalTeardown: '<rootDir>/libs/testkit/jest/run-teardown.mjs',
  // For what hangs: tests wait for other processes, on hosts that are busy with much else.
  testTimeout: 600_000,
  // Processes of half a gigabyte take longer than the default to end on a busy host, with nothing left open.
  workerGracefulExitTimeout: 10_000,
};
