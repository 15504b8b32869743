import { verifyTable } from './copy-table.js';
import { readManifest, type Manifest } from './manifest.js';

/**
 * Reads a backup and compares all of it with its manifest; no database is needed.
 * @throws OperatorError that names the first file that is missing or not as it was written
 */
export async function verifyBackup(folder: string, kind: Manifest['kind']): Promise<Manifest> {
  const manifest = await readManifest(folder, kind);
  for (const table of manifest.tables) await verifyTable(table, folder);
  return manifest;
}
