import { readFile } from 'node:fs/promises';
import { writeNewWhole } from '@tetrad/files';
import { createTokenKey, issueToken, tokenPublicKey } from '@tetrad/service/issue-token';
import { UsageError } from '@tetrad/devnet/usage-error';
import { parseTokenOptions } from './token-options.js';

/** `token new`: prints a token for a caller; a missing signing key is created. */
export async function token(args: readonly string[]): Promise<number> {
  const [word, ...rest] = args;
  if (word !== 'new')
    throw new UsageError(`token: unknown command ${word ?? ''}; token new makes a token, see --help`);
  const { keyFile, ...claims } = parseTokenOptions(rest);
  const key = await readOrMakeKey(keyFile);
  try {
    await keepPublicKey(keyFile, tokenPublicKey(key));
    process.stdout.write(`${await issueToken(key, claims)}\n`);
  } catch (error) {
    throw new Error(`--key-file: ${keyFile}: ${(error as Error).message}`, { cause: error });
  }
  return 0;
}

async function readOrMakeKey(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') throw new Error(`--key-file: cannot read ${path}: ${code ?? message}`);
  }
  const key = createTokenKey();
  try {
    await writeNewWhole(path, key, 0o600);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`--key-file: cannot write ${path}: ${code ?? message}`);
  }
  process.stderr.write(`made ${path}, a secret, and ${path}.pub for --auth-jwt-key-file of the services\n`);
  return key;
}

/** Next to the private key, also when an interrupted start wrote only that. */
async function keepPublicKey(path: string, publicKey: string): Promise<void> {
  await writeNewWhole(`${path}.pub`, publicKey, 0o644).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}
