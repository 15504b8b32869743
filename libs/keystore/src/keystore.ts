import { readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signDigest, type RecoverableSignature } from '@tetrad/crypto';
import type { Address } from '@tetrad/types';
import { decryptKeyFile, encryptKeyFile, type PlainKey } from './key-file.js';
import { KeystoreError } from './keystore-error.js';

/** Keys that sign; the keys themselves never leave. */
export interface Keystore {
  /** In ascending order. */
  list(): readonly Address[];
  has(address: Address): boolean;
  /** Fails: KeystoreError when the address is not in the store. */
  sign(address: Address, digest: Uint8Array): RecoverableSignature;
}

/** A keystore of keys that are already plain. */
export function createKeystore(keys: readonly PlainKey[]): Keystore {
  const byAddress = new Map(keys.map(({ address, privateKey }) => [address, privateKey]));
  return {
    list: () => [...byAddress.keys()].sort(),
    has: (address) => byAddress.has(address),
    sign(address, digest) {
      const privateKey = byAddress.get(address);
      if (privateKey === undefined) throw new KeystoreError(`no key of ${address}`);
      return signDigest(digest, privateKey);
    },
  };
}

/** The password in a file: its first line. Fails: KeystoreError naming the file. */
export async function readPasswordFile(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new KeystoreError(`${path}: cannot be read (${error.code})`);
  });
  return text.split(/\r?\n/, 1)[0] ?? '';
}

/** Opens one key file. Fails: KeystoreError naming the file. */
export async function openKeyFile(path: string, password: string): Promise<PlainKey> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new KeystoreError(`${path}: cannot be read (${error.code})`);
  });
  return decryptKeyFile(text, password, path);
}

/** Opens every key file of a folder, all with one password; names that begin with a dot are passed over. */
export async function openKeystoreFolder(folder: string, password: string): Promise<Keystore> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    throw new KeystoreError(`${folder}: cannot be read (${error.code})`);
  });
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => name);
  return createKeystore(
    await Promise.all(files.sort().map((name) => openKeyFile(join(folder, name), password))),
  );
}

/** Writes a key file readable by its owner only; it is there whole or not at all. Out: its path. */
export async function writeKeyFile(
  folder: string,
  key: {
    readonly privateKey: Uint8Array;
    readonly password: string;
    readonly name: string;
    readonly scryptN?: number;
  },
): Promise<string> {
  const path = join(folder, key.name);
  const text = await encryptKeyFile(
    key.privateKey,
    key.password,
    key.scryptN === undefined ? {} : { scryptN: key.scryptN },
  );
  await writeFile(`${path}.tmp`, text, { mode: 0o600, flag: 'wx' });
  await rename(`${path}.tmp`, path);
  return path;
}
