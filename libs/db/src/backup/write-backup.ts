import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import {
  FolderInUseError,
  makeFolder,
  onFile,
  takeFolderLock,
  writeWhole,
  type FolderLock,
} from '@tetrad/files';
import { OperatorError } from '@tetrad/types';

/** Part of the name of an incomplete folder. */
export const DRAFT_ENDING = '.part';

/**
 * Creates a folder atomically: the work fills a draft next to it, which is then renamed. A draft that
 * an earlier, killed attempt left is removed first.
 * @throws OperatorError when something of that name exists, or another process is creating it; as the work does
 */
export async function writeFolder(folder: string, work: (draft: string) => Promise<void>): Promise<void> {
  const path = resolve(folder);
  assertFree(path);
  await makeFolder(dirname(path));
  const lock = await takeLock(`${path}.lock`, folder);
  const draft = `${path}${DRAFT_ENDING}`;
  try {
    assertFree(path);
    await assertAbandoned(draft);
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { mode: 0o700 });
    await onFile(path, () => work(draft));
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

/** @throws OperatorError when a live process holds the lock */
function takeLock(path: string, folder: string): Promise<FolderLock> {
  return takeFolderLock(path).catch((error: unknown) => {
    throw error instanceof FolderInUseError
      ? new OperatorError(`${folder}: is being written by ${error.holder}`)
      : error;
  });
}

/** A killed process may leave child programs that still write to folders in a draft. */
async function assertAbandoned(draft: string): Promise<void> {
  const names = existsSync(draft) ? await readdir(draft) : [];
  for (const name of names.filter((one) => one.endsWith('.lock')))
    await (await takeLock(join(draft, name), draft)).release();
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
