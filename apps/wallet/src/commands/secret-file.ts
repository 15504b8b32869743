import { writeFile } from 'node:fs/promises';
import { OptionError, reasonOf } from '@tetrad/service';

/** Writes a file that only its owner can read; one that is there stays as it is. Fails: OptionError naming both */
export async function writeSecretFile(path: string, text: string, flag: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600, flag: 'wx', flush: true }).catch((error: unknown) => {
    throw new OptionError(flag, `cannot write ${path}: ${reasonOf(error).replace(/, .*$/, '')}`);
  });
}
