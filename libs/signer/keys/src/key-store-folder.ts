import { join, resolve } from 'node:path';
import { mapConcurrently } from '@tetrad/types';
import type { KeySource } from './key-entry.js';
import { keyFileEntry, withoutLineEnd } from './key-file-entry.js';
import { faultOf } from './key-load-error.js';
import type { KeySourceParts } from './key-source-parts.js';
import { listFiles } from './read-file.js';

/** Files read at a time. */
const READS_AT_A_TIME = 16;

/** Names of the files that are key stores; others may lie beside them. */
const KEY_STORE = /\.json$/i;

/** Where the passwords of a folder of key stores are: one for all, or a file each, of the same base name. */
export type KeyStorePasswords = { readonly passwordFile: string } | { readonly passwordsDirectory: string };

/**
 * A folder of V3 key stores, as web3signer loads them in bulk.
 *
 * Source: Consensys/web3signer, signing: SecpV3KeystoresBulkLoader, JsonFilesUtil
 */
export function keyStoreFolder(
  directory: string,
  passwords: KeyStorePasswords,
  parts: Pick<KeySourceParts, 'derive' | 'passwords'>,
): KeySource {
  const folder = resolve(directory);
  const passwordFileOf = passwordFiles(passwords);
  return {
    id: `key stores of ${folder}`,
    check: 'keys-check/v3-keystores-bulk-loading',
    isSingle: false,
    folders: [folder, ...('passwordsDirectory' in passwords ? [resolve(passwords.passwordsDirectory)] : [])],
    whenEmpty: `--keystores-path: no file in ${folder} has a name that ends with .json`,
    async scan() {
      const names = (await listFiles(folder)).filter((name) => KEY_STORE.test(name));
      return mapConcurrently(names, READS_AT_A_TIME, async (name) => {
        const keyFile = join(folder, name);
        const passwordFile = passwordFileOf(name);
        const paths = { name: keyFile, keyFile, passwordFile };
        return keyFileEntry({ ...paths, passwordOf: withoutLineEnd, parts }).catch((error: unknown) => ({
          name: keyFile,
          fault: faultOf(error),
        }));
      });
    },
  };
}

function passwordFiles(passwords: KeyStorePasswords): (keyStore: string) => string {
  if ('passwordFile' in passwords) {
    const file = resolve(passwords.passwordFile);
    return () => file;
  }
  const folder = resolve(passwords.passwordsDirectory);
  return (keyStore) => join(folder, `${keyStore.replace(KEY_STORE, '')}.txt`);
}
