import { rmSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { SRS_FOLDER } from '../circuit-cache.js';
import { G1_FILE, G2_FILE, readPinnedG2 } from './points-file.js';

/** Folder of the points: the one that is named, that of CRS_PATH, or the one that ships. */
export function pointsFolderOf(named: string | undefined): string {
  return resolve(named ?? process.env['CRS_PATH'] ?? SRS_FOLDER);
}

/** Folders that are removed when the process ends without closing what uses them. */
const folders = new Set<string>();
process.once('exit', () => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/**
 * Makes a folder for one `bb` with the points of another one: `bb` writes a lock beside the points, and these may be on a volume
 * that is mounted read-only. The point of G2 is the one that ships, since it decides which proofs `bb` takes.
 * @param points - a folder of `pointsFolderOf`
 */
export async function makeBbFolder(points: string): Promise<string> {
  const [g2, folder] = [await readPinnedG2(), await mkdtemp(join(tmpdir(), 'tetrad-bb-'))];
  folders.add(folder);
  await symlink(join(points, G1_FILE), join(folder, G1_FILE));
  await writeFile(join(folder, G2_FILE), g2);
  return folder;
}

export async function removeBbFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  folders.delete(folder);
}
