import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

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

/** Makes the new name survive a power cut, where the platform can flush a folder. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
