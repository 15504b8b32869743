import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of the files in a folder and below; files that disappear meanwhile count nothing. */
async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(({ parentPath, name }) =>
      stat(join(parentPath, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Bytes of tables and indexes in the PostgreSQL of a network in the folder, without its log. */
export function databaseBytes(folder: string): Promise<number> {
  return folderBytes(join(folder, 'postgres', 'cluster', 'base'));
}
