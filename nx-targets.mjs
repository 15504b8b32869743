// Gives every package the targets build, lint, typecheck, test and integration, so that no package.json repeats them.
// What invalidates their results is in nx.json.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import jestConfig from './jest.config.mjs';

const JEST = 'node node_modules/jest/bin/jest.js';
const NODE_OPTIONS = '--experimental-vm-modules --disable-warning=ExperimentalWarning';
/** Suffixes of tests that need PostgreSQL, a service or many seconds: the target integration runs them. */
const SLOW = 'pg|rpc|scenario|differential';
/** Small packages have one source, large ones have hundreds: one worker is quicker for most. */
const UNIT_WORKERS = 1;

/** @type {import('nx/src/project-graph/plugins').NxPluginV2['createNodesV2']} */
export const createNodesV2 = [
  '{apps,libs,bench}/**/package.json',
  (files, _options, { workspaceRoot }) =>
    files
      .filter((file) => !/(^|\/)(node_modules|dist|bundle)\//.test(file))
      .map((file) => [file, { projects: projectOf(dirname(file), workspaceRoot) }]),
];

function projectOf(folder, workspaceRoot) {
  const { name } = JSON.parse(readFileSync(join(workspaceRoot, folder, 'package.json'), 'utf8'));
  if (!name?.startsWith('@tetrad/')) return {};
  return { [folder]: { name, targets: targetsOf(folder, join(workspaceRoot, folder)) } };
}

function targetsOf(folder, path) {
  const files = readdirSync(path, { recursive: true }).filter((file) =>
    /^(src|test)\/.*\.test\.ts$/.test(file),
  );
  const units = files.filter((file) => isUnit(folder, file));
  const tested = files.filter((file) => !file.endsWith('.type.test.ts'));
  return {
    lint: { command: `eslint ${folder}`, cache: true },
    typecheck: { command: `node libs/bundle/typecheck.mjs ${folder}`, cache: true },
    ...(existsSync(join(path, 'src')) && {
      build: { command: `node libs/bundle/transpile.mjs ${folder}`, cache: true },
    }),
    ...(units.length > 0 && { test: unitTests(folder) }),
    ...(tested.length > units.length && { integration: { command: `./tetrad test ${folder}` } }),
  };
}

/** Tests in the folder `test` of an app start its service; in a library the suffix decides. */
function isUnit(folder, file) {
  if (folder.startsWith('apps/') && file.startsWith('test/')) return false;
  return !new RegExp(`/fuzz/|\\.(type|${SLOW})\\.test\\.ts$`).test(file);
}

function unitTests(folder) {
  const roots = folder.startsWith('apps/') ? [`${folder}/src`] : [folder];
  // Jest's option replaces the list of its configuration.
  const ignored = [...jestConfig.testPathIgnorePatterns, '/fuzz/', `\\.(${SLOW})\\.test\\.ts$`];
  const options = [
    ...roots.map((root) => `--roots ${root}`),
    ...ignored.map((pattern) => `--testPathIgnorePatterns '${pattern}'`),
    `--maxWorkers=${UNIT_WORKERS}`,
  ];
  return {
    executor: 'nx:run-commands',
    options: { command: `${JEST} ${options.join(' ')}`, env: { NODE_OPTIONS } },
    cache: true,
  };
}
