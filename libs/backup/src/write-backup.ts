import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { FolderInUseError, takeFolderLock, writeWhole } from '@tetrad/files';
import { OperatorError } from '@tetrad/types';

/**
 * Makes a folder that is there whole or not at all: the work fills one beside it, which then gets the name. What an
 * earlier attempt left behind when it was killed is removed first.
 *
 * Fails: OperatorError when there is something of that name, or another process makes it now; as the work does
 */
export async function writeFolder(folder: string, work: (draft: string) => Promise<void>): Promise<void> {
  const path = resolve(folder);
  assertFree(path);
  await mkdir(dirname(path), { recursive: true });
  const lock = await takeFolderLock(`${path}.lock`).catch((error: unknown) => {
    throw error instanceof FolderInUseError
      ? new OperatorError(`${folder}: is being written by ${error.holder}`)
      : error;
  });
  const draft = `${path}.part`;
  try {
    assertFree(path);
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { mode: 0o700 });
    await work(draft);
    await flushFolder(draft);
    await rename(draft, path);
    await flushFolder(dirname(path));
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  } finally {
    await lock.release();
  }
}

/** Writes the files one after the other, readable by their owner only. */
export async function writeFiles(
  folder: string,
  files: readonly (readonly [name: string, text: string])[],
): Promise<void> {
  for (const [name, text] of files) await writeWhole(join(folder, name), text, 0o600);
}

function assertFree(path: string): void {
  if (existsSync(path)) throw new OperatorError(`${path}: is there already; a backup overwrites nothing`);
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().catch(() => undefined);
  await handle.close();
}
