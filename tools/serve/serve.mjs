// Serves one service, with what it stands on and a database of its own, and starts it again when a change of the sources changes its
// bundle: serve.mjs SERVICE [OPTION…]
//
// Options are those of `./tetrad up`; the data are in .tetrad/serve/SERVICE. What does not build leaves the running service as it is.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const [service, ...options] = process.argv.slice(2);
const SERVICES = ['console', 'node', 'rollup-operator', 'signer', 'transaction-manager', 'wallet'];
/** Editors write several files at once. */
const SETTLE_MS = 200;
/** Folders of sources; builds write beside them. */
const WATCHED = ['src', 'page'];
const SOURCE = /^(?!(.*\/)?(generated|dist)\/)(?!.*\.test\.ts$).*\.(ts|tsx|css|html)$/;

if (!SERVICES.includes(service)) {
  process.stderr.write(`serve: ${service ?? 'nothing'} is not one of ${SERVICES.join(', ')}\n`);
  process.exit(2);
}

/** Runs a program of this repository that ends when this process ends; `ended` is its exit code. */
function run(args, log = '-') {
  const owned = ['libs/devnet/launcher/run-owned.mjs', String(process.pid), log, process.execPath, ...args];
  const child = spawn(process.execPath, owned, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  return { child, ended: new Promise((done) => child.once('exit', (code) => done(code ?? 1))) };
}

async function build() {
  const steps = [
    ['libs/bundle/transpile.mjs'],
    ['libs/bundle/dist/main.js', 'bundle', service],
    ...(service === 'console' ? [['libs/bundle/dist/main.js', 'page']] : []),
  ];
  for (const step of steps) if ((await run(step).ended) !== 0) return false;
  return true;
}

/** The hash of the programs that run, source maps apart. */
function builtHash() {
  const hash = createHash('sha256');
  for (const folder of [`apps/${service}/bundle`, `apps/${service}/page/dist`]) {
    if (!existsSync(join(root, folder))) continue;
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true }))
      if (entry.isFile() && !entry.name.endsWith('.map'))
        hash.update(entry.name).update(readFileSync(join(root, folder, entry.name)));
  }
  return hash.digest('hex');
}

let isStopping = false;
let running;
let runningHash;

/** Every network has a node. */
function start() {
  const services = service === 'node' ? 'node' : `node,${service}`;
  const shape = ['--nodes', '1', '--services', services, '--data-dir', `.tetrad/serve/${service}`];
  runningHash = builtHash();
  const started = run(['apps/cli/bundle/main.js', 'up', ...shape, ...options], 'service');
  running = started;
  void started.ended.then((code) => {
    if (isStopping || running !== started) return;
    running = undefined;
    process.stderr.write(`serve: it ended with ${code}; it is started again when a source changes\n`);
  });
}

function stop() {
  const stopped = running;
  running = undefined;
  stopped?.child.kill('SIGINT');
  return stopped?.ended ?? Promise.resolve(0);
}

async function restart() {
  process.stderr.write(`serve: a source changed; building ${service}\n`);
  if (!(await build())) {
    process.stderr.write('serve: it does not build; what runs goes on\n');
    return;
  }
  if (running !== undefined && builtHash() === runningHash) {
    process.stderr.write(`serve: the change is not in ${service}; what runs goes on\n`);
    return;
  }
  await stop();
  if (!isStopping) start();
}

/** One restart after the other, and one for all changes that arrive during one. */
let isRestarting = false;
let isStale = false;
async function restartWhileStale() {
  isStale = true;
  if (isRestarting) return;
  isRestarting = true;
  while (isStale && !isStopping) {
    isStale = false;
    await restart();
  }
  isRestarting = false;
}

function sourceFolders(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory() || entry.name === 'node_modules') return [];
    const path = `${folder}/${entry.name}`;
    const isPackage = existsSync(join(root, path, 'package.json'));
    return isPackage
      ? WATCHED.map((name) => `${path}/${name}`).filter((name) => existsSync(join(root, name)))
      : sourceFolders(path);
  });
}

let timer;
for (const folder of ['apps', 'libs'].flatMap(sourceFolders)) {
  const watcher = watch(join(root, folder), { recursive: true }, (_event, file) => {
    if (file === null || !SOURCE.test(file)) return;
    clearTimeout(timer);
    timer = setTimeout(restartWhileStale, SETTLE_MS);
  });
  // A folder that is removed while it is read.
  watcher.on('error', () => {});
}
start();

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    isStopping = true;
    process.exit(await stop());
  });
}
