import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of all libraries. */
export const LIBS = fileURLToPath(new URL('../../', import.meta.url));
/** Of a library in a room of the node: libs/node/ROOM/LIBRARY. */
const DEPTH = 3;

/** The libraries that have a folder of this name with sources of a compiler; one may itself be called so. */
export function librariesWith(name: string): Promise<string[]> {
  return findFolders(LIBS, name, DEPTH);
}

async function findFolders(folder: string, wanted: string, depth: number): Promise<string[]> {
  if (existsSync(join(folder, wanted)) && existsSync(join(folder, 'package.json'))) return [folder];
  if (depth === 0) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  const inner = entries.filter(
    (entry) => entry.isDirectory() && !['node_modules', 'dist', 'src'].includes(entry.name),
  );
  return (
    await Promise.all(inner.map(({ name }) => findFolders(join(folder, name), wanted, depth - 1)))
  ).flat();
}
