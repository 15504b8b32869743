// Gives every project its targets, so that no package.json repeats them. What invalidates their results, and what they wait for, is in
// nx.json; what each is for, in CONTRIBUTING.md.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import jestConfig from './jest.config.mjs';

const JEST = 'node node_modules/jest/bin/jest.js';
/** Without colours, which Nx asks for: tests compare what programs print. */
const ENVIRONMENT = {
  NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning',
  FORCE_COLOR: '0',
};
/** Suffixes of tests that need PostgreSQL or a service: the target integration runs them. */
const INTEGRATION = 'pg|rpc|differential';
/** Small packages have one source, large ones have hundreds: one worker is quicker for most. */
const WORKERS = 1;
/** The services, by the folders of their apps. */
const SERVICES = ['console', 'node', 'rollup-operator', 'signer', 'transaction-manager', 'wallet'];
/** Apps that are bundled besides the services. */
const PROGRAMS = ['apps/cli', 'apps/rollup-client'];
/** What tests of several processes start. */
const ALL_SERVICES = { projects: SERVICES, target: 'build' };
/** The launcher's programs. */
const LAUNCHER = { projects: ['cli', 'devnet', 'bench', 'rollup'], target: 'build' };
/** Circuits and contracts, which services read at run time. */
const CONTRACTS = { projects: ['compilers'], target: 'contracts' };
/** Clients of the databases and WebAssembly, which type checks and tests read. */
const GENERATED = { projects: ['schema'], target: 'generate' };

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
  const isApp = folder.startsWith('apps/');
  return {
    [folder]: {
      projectType: isApp ? 'application' : 'library',
      targets: targetsOf(folder, join(workspaceRoot, folder), workspaceRoot),
    },
  };
}

function targetsOf(folder, path, workspaceRoot) {
  const files = testFiles(path);
  const service = serviceOf(folder);
  return {
    lint: { command: `eslint ${folder}`, cache: true, dependsOn: [GENERATED] },
    typecheck: { command: `node libs/bundle/typecheck.mjs ${folder}`, cache: true, dependsOn: [GENERATED] },
    ...(existsSync(join(path, 'src')) && {
      build:
        service === undefined && !PROGRAMS.includes(folder) ? transpile(folder) : bundle(basename(folder)),
    }),
    ...((service !== undefined || files.some((file) => isUnit(folder, file))) && { test: unitTests(folder) }),
    ...(files.some((file) => isIntegration(folder, file)) && { integration: integrationTests(folder) }),
    ...(files.some(isScenario) && { e2e: scenarios(folder) }),
    ...(service !== undefined && ofService(service, workspaceRoot)),
    ...(folder === 'libs/schema' && { generate: GENERATE }),
    ...(folder === 'libs/compilers' && { contracts: COMPILE }),
  };
}

/** The test files of a project, but those that only the type check reads. */
function testFiles(path) {
  return readdirSync(path, { recursive: true })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /^(src|test)\/.*\.test\.ts$/.test(file) && !file.endsWith('.type.test.ts'));
}

function serviceOf(folder) {
  const name = basename(folder);
  return folder === `apps/${name}` && SERVICES.includes(name) ? name : undefined;
}

const isScenario = (file) => file.endsWith('.scenario.test.ts');

/** Tests in the folder `test` of an app start its service; in a library the suffix decides. */
function isUnit(folder, file) {
  if (folder.startsWith('apps/') && file.startsWith('test/')) return false;
  return !isScenario(file) && !new RegExp(`/fuzz/|\\.(${INTEGRATION})\\.test\\.ts$`).test(file);
}

const isIntegration = (folder, file) => !isScenario(file) && !isUnit(folder, file);

const GENERATE = {
  command: 'npm run --silent generate',
  cache: true,
  inputs: ['generators', 'toolchain'],
  outputs: [
    '{workspaceRoot}/libs/*/src/generated',
    '{workspaceRoot}/libs/*/*/src/generated',
    '{workspaceRoot}/libs/node/*/*/src/generated',
    '{workspaceRoot}/libs/*/src/store/generated',
  ],
};

const COMPILE = {
  command: 'npm run --silent build:contracts',
  cache: true,
  dependsOn: ['build', { projects: ['rollup-circuits', 'rollup-chain'], target: 'build' }],
  inputs: ['contracts', 'toolchain', { dependentTasksOutputFiles: '**/*.js', transitive: true }],
  outputs: [
    '{workspaceRoot}/libs/*/artifacts',
    '{workspaceRoot}/libs/*/*/artifacts',
    '{workspaceRoot}/libs/node/*/*/artifacts',
  ],
};

const transpile = (folder) => ({
  command: `node libs/bundle/transpile.mjs ${folder}`,
  cache: true,
  dependsOn: ['^build', GENERATED],
  outputs: ['{projectRoot}/dist'],
});

/** An app is bundled from the sources of all that it imports. */
function bundle(app) {
  const folder = `apps/${app}`;
  const page = app === 'console' ? ' && node libs/bundle/dist/main.js page' : '';
  return {
    command: `node libs/bundle/transpile.mjs ${folder} && node libs/bundle/dist/main.js bundle ${app}${page}`,
    cache: true,
    dependsOn: ['^build', GENERATED, { projects: ['bundle', 'db'], target: 'build' }],
    outputs: ['{projectRoot}/dist', '{projectRoot}/bundle', '{projectRoot}/page/dist'],
  };
}

function ofService(service, workspaceRoot) {
  const hasDatabase = existsSync(join(workspaceRoot, 'prisma', service));
  return {
    serve: {
      command: `node tools/serve/serve.mjs ${service}`,
      continuous: true,
      dependsOn: [LAUNCHER, ALL_SERVICES, CONTRACTS],
    },
    docker: { command: `docker/build ${service}` },
    ...(hasDatabase && {
      migrate: {
        command: `node libs/db/dist/main.js migrate deploy ${service}`,
        dependsOn: [{ projects: ['db'], target: 'build' }],
      },
    }),
  };
}

function unitTests(folder) {
  const roots = folder.startsWith('apps/') ? [`${folder}/src`] : [folder];
  const leftOut = ['/fuzz/', `\\.(${INTEGRATION}|scenario)\\.test\\.ts$`];
  return { ...jest(roots, leftOut), dependsOn: [GENERATED] };
}

/** The tests of an app start its bundle, and those of other services. */
function integrationTests(folder) {
  const isApp = folder.startsWith('apps/');
  const matched = [`**/*.{${INTEGRATION.replaceAll('|', ',')}}.test.ts`, '**/fuzz/**/*.test.ts'];
  if (isApp) matched.push('**/test/**/*.test.ts');
  return {
    ...jest([folder], ['\\.scenario\\.test\\.ts$'], matched),
    dependsOn: [GENERATED, 'build', ...(isApp ? [ALL_SERVICES, CONTRACTS] : [])],
  };
}

function scenarios(folder) {
  return {
    ...jest([folder], [], ['**/*.scenario.test.ts']),
    dependsOn: [GENERATED, 'build', LAUNCHER, ALL_SERVICES, CONTRACTS],
  };
}

function jest(roots, leftOut, matched = []) {
  // Jest's options replace the lists of its configuration.
  const ignored = [...jestConfig.testPathIgnorePatterns, ...leftOut];
  const options = [
    ...roots.map((root) => `--roots ${root}`),
    ...ignored.map((pattern) => `--testPathIgnorePatterns '${pattern}'`),
    ...matched.map((pattern) => `--testMatch '${pattern}'`),
    `--maxWorkers=${WORKERS}`,
    '--passWithNoTests',
  ];
  return {
    executor: 'nx:run-commands',
    options: { command: `${JEST} ${options.join(' ')}`, env: ENVIRONMENT },
    cache: true,
  };
}
