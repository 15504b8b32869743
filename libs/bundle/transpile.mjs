// Writes the JavaScript of every package from its sources, without checking types: `npm run typecheck` does that.
//
// A source becomes the file that tsc would write, in the `dist` of its package. Only sources that are newer than their
// output are read, and outputs without a source are removed. The other programs of the build run from these files.
// With folders of packages as arguments it writes only theirs.
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));
const SOURCE = /(?<!\.d|\.test)\.ts$/;

/** Folders of all packages, from the root. */
function packageFolders() {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const folders = workspaces.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern];
    const base = pattern.slice(0, -2);
    const entries = readdirSync(join(root, base), { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${base}/${name}`);
  });
  return folders.filter((folder) => timeOf(join(root, folder, 'package.json')) > 0);
}

/** Paths of the files below a folder, relative to it; empty when the folder does not exist. */
function filesBelow(folder) {
  if (timeOf(folder) === 0) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1));
}

/** When a file was written, in ms; 0 when it does not exist. */
function timeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** The sources of a package whose output is missing or older, after outputs that have no source are removed. */
function staleSources(folder) {
  const source = join(root, folder, 'src');
  const output = join(root, folder, 'dist');
  const names = filesBelow(source)
    .filter((file) => SOURCE.test(file))
    .map((file) => file.slice(0, -'.ts'.length));
  const known = new Set(names);
  for (const file of filesBelow(output)) {
    if (file.endsWith('.js') && !known.has(file.slice(0, -'.js'.length))) rmSync(join(output, file));
  }
  return names
    .filter((name) => timeOf(join(source, `${name}.ts`)) >= timeOf(join(output, `${name}.js`)))
    .map((name) => ({ in: join(source, `${name}.ts`), out: `${folder}/dist/${name}` }));
}

/** Runs of the tests of several projects begin with this, and may read what another one of them writes. */
function replaceFile(path, contents) {
  mkdirSync(dirname(path), { recursive: true });
  const written = `${path}.${process.pid}`;
  writeFileSync(written, contents);
  renameSync(written, path);
}

const named = process.argv.slice(2);
const entryPoints = (named.length > 0 ? named : packageFolders()).flatMap(staleSources);
const { outputFiles } = await build({
  entryPoints,
  write: false,
  outdir: root,
  absWorkingDir: root,
  bundle: false,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
  tsconfigRaw: { compilerOptions: { target: 'ES2023', verbatimModuleSyntax: true } },
});
for (const { path, contents } of outputFiles) replaceFile(path, contents);
if (entryPoints.length > 0) process.stderr.write(`transpiled ${entryPoints.length} sources\n`);
