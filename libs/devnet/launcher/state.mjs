// What the launcher needs to know of packages and builds, by content: a copied checkout is as current as the one it was copied from.
//
//   state.mjs missing all|running PART…   prints which of "packages", "tests" and the parts are missing or stale, one a line
//   state.mjs sources                     prints the hash of what is built from
//   state.mjs record NAME [HASH]          records that NAME is current: of packages by the lock file, of a part by HASH
//
// What is said of packages lies among them, and what is said of builds beside them, so that each is copied and removed with its subject.
// The launcher asks before anything is installed, so it imports Node's own modules only.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const PACKAGES = 'node_modules/.cache/tetrad';
const BUILDS = '.tetrad/built';
const FOLDERS = ['apps', 'libs', 'bench', 'prisma'];
const LEFT_OUT = new Set(['node_modules', 'dist', 'bundle', 'bundle.next', 'generated', 'artifacts']);
const SOURCE = /(\.((?<!\.test\.)ts|tsx|mjs|css|html|sol|nr|prisma|sql)|^package\.json|^Nargo\.toml)$/;

const sha256 = (...texts) =>
  texts.reduce((hash, text) => hash.update(text), createHash('sha256')).digest('hex');

const folderOf = (name) => join(root, name.startsWith('installed') ? PACKAGES : BUILDS);

function recorded(name) {
  try {
    return readFileSync(join(folderOf(name), name), 'utf8').trim();
  } catch {
    return '';
  }
}

/** Under its name only once it is whole: a launcher may be killed, and another one read. */
function record(name, text) {
  mkdirSync(folderOf(name), { recursive: true });
  const file = join(folderOf(name), name);
  writeFileSync(`${file}.${process.pid}`, `${text}\n`);
  renameSync(`${file}.${process.pid}`, file);
}

/** What is known of a checkout that cannot be written is found out each time. */
function recordIfWritable(name, text) {
  try {
    record(name, text);
  } catch {
    // It stays as it is.
  }
}

const lockHash = () => sha256(readFileSync(join(root, 'package-lock.json')));

/** A record that was written before it held a hash is an empty file, current when it is newer than the lock file. */
function isInstalled(name) {
  const known = recorded(name);
  if (known !== '') return known === lockHash();
  const written = statSync(join(folderOf(name), name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (written <= statSync(join(root, 'package-lock.json')).mtimeMs) return false;
  recordIfWritable(name, lockHash());
  return true;
}

/** Paths of the sources below a folder, from the root, sorted. */
function sourcesBelow(folder) {
  let entries;
  try {
    entries = readdirSync(join(root, folder), { withFileTypes: true });
  } catch {
    return [];
  }
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? [] : sourcesBelow(path);
      return SOURCE.test(entry.name) ? [path] : [];
    });
}

/**
 * The hash of all sources. Reading them takes a second on a slow host, so that it is kept with their sizes and times; when one of
 * those differs the sources are read, and only their content decides.
 */
function sourcesHash() {
  const files = FOLDERS.flatMap(sourcesBelow);
  const look = sha256(
    ...files.map((file) => {
      const { size, mtimeMs, ctimeMs } = statSync(join(root, file));
      return `${file} ${size} ${mtimeMs} ${ctimeMs}\n`;
    }),
  );
  const [seen, known] = recorded('sources').split(' ');
  if (seen === look && known) return known;
  const hash = sha256(
    ...files.flatMap((file) => [`${file}\n`, sha256(readFileSync(join(root, file))), '\n']),
  );
  recordIfWritable('sources', `${look} ${hash}`);
  return hash;
}

function missing(packages, parts) {
  const found = [];
  if (!isInstalled('installed')) found.push('packages');
  else if (packages === 'all' && !isInstalled('installed-all')) found.push('tests');
  const hash = sourcesHash();
  return [...found, ...parts.filter((part) => recorded(part) !== hash)];
}

const [command, name, ...words] = process.argv.slice(2);
if (command === 'missing') {
  for (const word of missing(name, words)) process.stdout.write(`${word}\n`);
} else if (command === 'sources') {
  process.stdout.write(`${sourcesHash()}\n`);
} else if (command === 'record' && name !== undefined) {
  record(name, words[0] ?? lockHash());
} else {
  process.stderr.write('Usage: state.mjs missing|sources|record\n');
  process.exitCode = 2;
}
