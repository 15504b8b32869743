import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileFolder } from './compile.js';

/** Compiles the contracts of every library that has a `contracts` folder; one may itself be called `contracts`. */

const libs = fileURLToPath(new URL('../../', import.meta.url));

async function findContractFolders(folder: string, depth: number): Promise<string[]> {
  if (existsSync(join(folder, 'contracts')) && existsSync(join(folder, 'package.json'))) return [folder];
  if (depth === 0) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  const inner = entries.filter(
    (entry) => entry.isDirectory() && !['node_modules', 'dist', 'src'].includes(entry.name),
  );
  return (
    await Promise.all(inner.map(({ name }) => findContractFolders(join(folder, name), depth - 1)))
  ).flat();
}

for (const folder of await findContractFolders(libs, 2)) {
  if (await compileFolder(folder)) process.stderr.write(`compiled ${folder.slice(libs.length)}/contracts\n`);
}
