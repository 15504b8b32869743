import { randomUUID } from 'node:crypto';
import { link, open, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { onFile } from './file-error.js';

/**
 * Writes a file atomically: once this resolves it is on the disk, and has replaced any file of that name.
 * @param mode - its permissions; by default the umask decides
 * @throws as `node:fs` does
 */
export async function writeWhole(path: string, text: string, mode = 0o666): Promise<void> {
  const draft = await open(`${path}.tmp`, 'w', mode);
  try {
    await onFile(path, async () => {
      // Also for a draft that an earlier process left.
      if (mode !== 0o666) await draft.chmod(mode);
      await draft.writeFile(text);
      await draft.sync();
    });
  } finally {
    await draft.close();
  }
  await rename(`${path}.tmp`, path);
  await flushFolder(dirname(path));
}

/**
 * As `writeWhole`, but an existing file stays unchanged.
 * @param mode - its permissions; readable by the owner only by default
 * @throws as `node:fs` does, with EEXIST when there is a file of that name
 */
export async function writeNewWhole(path: string, text: string, mode = 0o600): Promise<void> {
  // The dot keeps a draft left by a crash from being taken for a file of the folder's kind.
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    await onFile(path, () => writeFile(draft, text, { mode, flag: 'wx', flush: true }));
    await link(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  await flushFolder(dirname(path));
}

/** Makes the rename survive a power failure, where the platform can flush a folder. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
