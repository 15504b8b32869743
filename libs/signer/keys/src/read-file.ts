import { readdir } from 'node:fs/promises';
import { FileError, othersWhoRead } from '@tetrad/files';
import { KeyLoadError } from './key-load-error.js';

/**
 * As `othersWhoRead` of `files`.
 * @throws FileError
 */
export function othersWhoReadKey(path: string): string | undefined {
  try {
    return othersWhoRead(path);
  } catch (error) {
    throw new FileError(path, (error as NodeJS.ErrnoException).code ?? 'UNKNOWN');
  }
}

/** What an operator should know of a key, in one line; undefined when there is nothing. */
export function oneCaution(...cautions: readonly (string | undefined)[]): string | undefined {
  const said = cautions.filter((caution) => caution !== undefined);
  return said.length === 0 ? undefined : said.join('; ');
}

/**
 * Names in a folder, sorted, without folders and without names that begin with a dot.
 * @throws KeyLoadError
 */
export async function listFiles(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    throw new KeyLoadError(`${folder}: cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
