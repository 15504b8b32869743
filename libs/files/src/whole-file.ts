import { randomUUID } from 'node:crypto';
import { link, open, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Writes a file whole or not at all; once this resolves it is on the disk, whoever had the name before.
 *
 * In:    mode — who may read it; anybody by default, within what the process allows
 * Fails: as `node:fs` does
 */
export async function writeWhole(path: string, text: string, mode = 0o666): Promise<void> {
  const draft = await open(`${path}.tmp`, 'w', mode);
  try {
    // Of a draft that was left behind, too.
    if (mode !== 0o666) await draft.chmod(mode);
    await draft.writeFile(text);
    await draft.sync();
  } finally {
    await draft.close();
  }
  await rename(`${path}.tmp`, path);
  await flushFolder(dirname(path));
}

/**
 * As `writeWhole`, but a file that is there stays as it is.
 *
 * In:    mode — who may read it; only the owner by default
 * Fails: as `node:fs` does, with EEXIST when there is a file of that name
 */
export async function writeNewWhole(path: string, text: string, mode = 0o600): Promise<void> {
  // The dot keeps what a crash may leave behind from being taken for a file of the folder's kind.
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    await writeFile(draft, text, { mode, flag: 'wx', flush: true });
    await link(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  await flushFolder(dirname(path));
}

/** Makes the new name survive a power cut, where the platform can flush a folder. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
