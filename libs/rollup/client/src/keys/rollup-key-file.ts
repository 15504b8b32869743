import { basename, dirname } from 'node:path';
import { generatePrivateKey } from '@tetrad/crypto';
import { openKeyFile, writeKeyFile } from '@tetrad/keystore';
import { deriveRollupKeys, type RollupKeys } from './rollup-keys.js';

/**
 * Makes new keys and writes their secret into an encrypted key file that only its owner can read. The file is a Web3 Secret
 * Storage file like that of any Ethereum client.
 * @param options.scryptN - cost of guessing the password; the default is that of other clients, tests take less
 * @throws KeystoreError when there is a file of that name: a key is never overwritten
 */
export async function createRollupKeyFile(
  path: string,
  password: string,
  { scryptN }: { readonly scryptN?: number } = {},
): Promise<RollupKeys> {
  const privateKey = generatePrivateKey();
  await writeKeyFile(dirname(path), {
    privateKey,
    password,
    name: basename(path),
    ...(scryptN === undefined ? {} : { scryptN }),
  });
  return deriveRollupKeys(privateKey);
}

/**
 * Opens a key file, one of `createRollupKeyFile` or of an Ethereum account.
 * @throws KeystoreError naming the file
 */
export async function openRollupKeyFile(path: string, password: string): Promise<RollupKeys> {
  const { privateKey } = await openKeyFile(path, password);
  return deriveRollupKeys(privateKey);
}
