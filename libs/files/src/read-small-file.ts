import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { TetradError } from '@tetrad/types';

/** Bytes of the largest file that is read: key files, settings and passwords are far smaller, stores of trust too. */
const MAX_FILE_BYTES = 1024 * 1024;

/** Why a file could not be read: a system error code, `TOO_LARGE`, or `NO_FILE` when it is not a regular file. */
export class FileError extends TetradError {
  override readonly name = 'FileError';

  constructor(
    readonly path: string,
    override readonly code: string,
  ) {
    super(`${path}: cannot be read (${code})`);
  }
}

/**
 * The whole content of a file.
 * @throws FileError
 */
export async function readSmallFile(path: string, maxBytes = MAX_FILE_BYTES): Promise<Buffer> {
  try {
    // Without O_NONBLOCK, opening a pipe would wait for a writer.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) throw new FileError(path, 'NO_FILE');
      if (stat.size > maxBytes) throw new FileError(path, 'TOO_LARGE');
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(path, (error as NodeJS.ErrnoException).code ?? 'UNKNOWN');
  }
}

/**
 * The content of a file as UTF-8 text.
 * @throws FileError
 */
export async function readSmallText(path: string, maxBytes?: number): Promise<string> {
  return (await readSmallFile(path, maxBytes)).toString('utf8');
}
