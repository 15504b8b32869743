// Checks the types of one package, with its tests: typecheck.mjs FOLDER [PART…]. `npm run typecheck` checks all as one program.
//
// A program of one package reads the sources of those it imports, and reports on its own files and on theirs.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const [folder, ...parts] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('Usage: node libs/bundle/typecheck.mjs FOLDER [PART…]\n');
  process.exit(2);
}

// TypeScript resolves paths of a configuration from its own folder, which must be below the root.
const configFolder = join(root, '.nx/typecheck', folder.replaceAll('/', '-'));
mkdirSync(configFolder, { recursive: true });
const configFile = join(configFolder, 'tsconfig.json');
const include = (parts.length > 0 ? parts : ['src', 'test', '*.ts']).map((path) => join(root, folder, path));
writeFileSync(configFile, JSON.stringify({ extends: join(root, 'tsconfig.json'), include, exclude: [] }));

const compiler = join(root, 'node_modules/@typescript/native/bin/tsc');
const { status } = spawnSync(process.execPath, [compiler, '-p', configFile], { stdio: 'inherit' });
process.exit(status ?? 1);
