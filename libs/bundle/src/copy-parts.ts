import { cp, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isNeededInImage } from './image-files.js';
import { ROOT } from './services.js';

/** Copies a bundle without its source maps. */
export function copyBundle(from: string, to: string): Promise<void> {
  return cp(from, to, { recursive: true, filter: (path) => !path.endsWith('.map') });
}

/**
 * Copies what runs of a package to the same place below another root than this repository's. One of this repository, of which
 * `node_modules` has a link, leaves its sources.
 */
export async function copyPackage(source: string, root: string): Promise<void> {
  const folder = await realpath(source);
  const isOwn = folder !== source;
  await cp(folder, join(root, relative(ROOT, source)), {
    recursive: true,
    filter: (path) =>
      isNeededInImage(folder, path, process) && !(isOwn && relative(folder, path).startsWith('src')),
  });
}
