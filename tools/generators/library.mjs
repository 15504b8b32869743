import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { runProgram } from './run-program.mjs';

/** Folders of libraries with a team and, in names, a prefix of their own; those of api belong to the services. */
const GROUPS = ['api', 'node', 'rollup', 'signer', 'wallet'];
/** Folders of the node's group; names have no part for them. */
const ROOMS = ['chain', 'permissions', 'privacy'];
const PARENTS = GROUPS.flatMap((group) => (group === 'node' ? ROOMS.map((room) => `node/${room}`) : [group]));
const FOLDER = new RegExp(`^libs/(?:(${PARENTS.join('|')})/)?([a-z][a-z0-9]*(?:-[a-z0-9]+)*)$`);
/** Teams of scopes, as CODEOWNERS names them; the others are the platform's. */
const TEAMS = { node: 'node', signer: 'signer', rollup: 'rollup', wallet: 'wallet', manager: 'privacy' };
const OWNER_COLUMN = 36;

/**
 * Writes a library without exports: what it contains is yours. Its line in ARCHITECTURE.md ("Layers", "Responsibilities") is, too.
 *
 * @param tree of Nx
 * @param {{ folder: string, layer: string, scope: string }} options
 * @returns what is done once the files are written: the link by which the others import it
 */
export default function library(tree, { folder, layer, scope }) {
  const [, parent, own] =
    FOLDER.exec(folder) ?? fail(`${folder}: not libs/NAME or libs/{${PARENTS.join(',')}}/NAME`);
  const group = parent?.split('/')[0];
  if (tree.exists(`${folder}/package.json`)) fail(`${folder} exists`);
  const name = group === undefined ? own : `${group}-${own}`;
  if (tree.exists(`apps/${name}/package.json`)) fail(`${name} is the name of an app`);
  const manifest = manifestOf(name, { layer, scope });
  tree.write(`${folder}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
  tree.write(`${folder}/src/index.ts`, 'export {};\n');
  const lock = tree.read('package-lock.json', 'utf-8');
  tree.write('package-lock.json', withLockedLibrary(lock, folder, manifest));
  if (group === undefined || group === 'api') {
    const owners = tree.read('CODEOWNERS', 'utf-8');
    tree.write('CODEOWNERS', withOwner(owners, folder, TEAMS[scope] ?? 'platform'));
  }
  return () => link(tree.root, folder, manifest.name);
}

function fail(message) {
  throw new Error(`library: ${message}`);
}

function manifestOf(name, { layer, scope }) {
  return {
    name: `@tetrad/${name}`,
    version: '0.1.0',
    private: true,
    license: 'Apache-2.0',
    type: 'module',
    exports: { '.': { types: './src/index.ts', default: './dist/index.js' } },
    nx: { name, tags: [`layer:${layer}`, `scope:${scope}`] },
  };
}

/** As npm would write it; npm itself would write the file for the platform of this host alone (CONTRIBUTING.md, "Dependencies"). */
export function withLockedLibrary(text, folder, { name, version, license }) {
  const lock = JSON.parse(text);
  const added = {
    ...lock.packages,
    [folder]: { name, version, license },
    [`node_modules/${name}`]: { resolved: folder, link: true },
  };
  const sorted = Object.entries(added).sort(([a], [b]) => a.localeCompare(b, 'en'));
  return `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`;
}

/** With a line before that of the benchmarks, the first after the libraries. */
export function withOwner(text, folder, team) {
  const line = `${`/${folder}/`.padEnd(OWNER_COLUMN - 1)} @tetrad/${team}\n`;
  return text.replace(/^\/bench\//m, `${line}$&`);
}

/** The link that npm would make, and that packages are those of the lock file: the launcher installs nothing then. */
function link(root, folder, name) {
  const target = join(root, 'node_modules', name);
  if (existsSync(target)) return;
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(relative(dirname(target), join(root, folder)), target);
  for (const stamp of ['installed', 'installed-all'])
    if (existsSync(join(root, 'node_modules/.cache/tetrad', stamp)))
      runProgram(root, 'libs/devnet/launcher/state.mjs', 'record', stamp);
}
