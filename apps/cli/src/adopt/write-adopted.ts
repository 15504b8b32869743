import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { describeFileError, makeFolder } from '@tetrad/files';
import type { SettingsConversion } from '@tetrad/service/settings-conversion';

const TITLE =
  'Adopted from a GoQuorum node. Paths are relative to this folder: start the node in it, with --config-file node.toml.';

/**
 * Writes the node folder, or nothing.
 * @throws Error when the folder is there and not empty
 */
export async function writeAdopted(out: string, conversion: SettingsConversion): Promise<void> {
  const dir = resolve(out);
  const draft = join(dirname(dir), `.${basename(dir)}.${randomBytes(4).toString('hex')}`);
  try {
    await makeFolder(join(draft, 'data'), 0o700);
    await writeFile(join(draft, 'node.toml'), conversion.toml(TITLE));
    for (const { name, text, isSecret } of conversion.files) {
      await makeFolder(dirname(join(draft, name)), 0o700);
      await writeFile(join(draft, name), text, { mode: isSecret ? 0o600 : 0o644 });
    }
    await rename(draft, dir);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isThere = code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOTDIR';
    const problem = isThere ? 'already exists and is not empty' : (describeFileError(error) ?? message);
    throw new Error(`--out ${out}: ${problem}`, { cause: error });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
