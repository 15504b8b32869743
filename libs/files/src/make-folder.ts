import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and its parents when they do not exist. With `recursive`, Node.js itself tries for ever where a parent
 * exists and refuses new entries as absent, as /proc does.
 *
 * @param path the folder
 * @param mode permissions of the folders that are created; by default the umask decides
 * @throws as `node:fs` does, with EEXIST when there is a file of that name
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  if (await isMade(path, mode)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent, mode);
  await mkdir(path, { mode }).catch((error: unknown) => refuseUnlessFolder(path, error));
}

/** @returns false when a parent is absent */
async function isMade(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    await refuseUnlessFolder(path, error);
  }
  return true;
}

/** An existing folder may be in one that is read-only or closed to this user. */
async function refuseUnlessFolder(path: string, error: unknown): Promise<void> {
  const stats = await stat(path).catch(() => undefined);
  if (stats?.isDirectory() !== true) throw error;
}
