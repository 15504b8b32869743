import { writeFile } from 'node:fs/promises';
import { OptionError, type Secret, type SharedSecret, reasonOf } from '@tetrad/service';
import { TOKEN_SECRET_RULE, parseTokenSecret } from '@tetrad/wallet-key';

/**
 * The secret of the file.
 * @throws OptionError, without what was read
 */
export function readTokenSecret(file: Secret): SharedSecret {
  const secret = parseTokenSecret(file.reveal());
  if (secret === undefined) throw new OptionError('--auth-token-secret-file', TOKEN_SECRET_RULE);
  return secret;
}

/**
 * Writes a file that only its owner can read; one that is there stays as it is.
 * @throws OptionError naming both
 */
export async function writeSecretFile(path: string, text: string, flag: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600, flag: 'wx', flush: true }).catch((error: unknown) => {
    throw new OptionError(flag, `cannot write ${path}: ${reasonOf(error).replace(/, .*$/, '')}`);
  });
}
