import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { signDigest, type RecoverableSignature } from '@tetrad/crypto';
import { writeNewWhole } from '@tetrad/files';
import { firstLine, mapConcurrently, type Address } from '@tetrad/types';
import { DerivationThreads } from './derivation-threads.js';
import type { DeriveKey } from './key-derivation.js';
import { decryptKeyFile, encryptKeyFile, type PlainKey } from './key-file.js';
import { KeystoreError } from './keystore-error.js';

/** Keys that sign, here or in a service; the keys themselves never leave. */
export interface Keystore {
  /** In ascending order. */
  list(): readonly Address[];
  has(address: Address): boolean;
  /** @throws KeystoreError when the address is not in the store; RequestError KEY_UNAVAILABLE of a service */
  sign(address: Address, digest: Uint8Array): Promise<RecoverableSignature>;
}

/** A keystore of keys that are already plain. */
export function createKeystore(keys: readonly PlainKey[]): Keystore {
  const byAddress = new Map(keys.map(({ address, privateKey }) => [address, privateKey]));
  return {
    list: () => [...byAddress.keys()].sort(),
    has: (address) => byAddress.has(address),
    async sign(address, digest) {
      const privateKey = byAddress.get(address);
      if (privateKey === undefined) throw new KeystoreError(`no key of ${address}`);
      return signDigest(digest, privateKey);
    },
  };
}

/**
 * The password in a file: its first line.
 * @throws KeystoreError naming the file
 */
export async function readPasswordFile(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => unreadable(path, error));
  return firstLine(text);
}

/**
 * Opens one key file.
 * @throws KeystoreError naming the file
 */
export async function openKeyFile(path: string, password: string, derive?: DeriveKey): Promise<PlainKey> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => unreadable(path, error));
  return decryptKeyFile(text, password, path, derive);
}

function unreadable(path: string, error: unknown): never {
  const { code } = error as NodeJS.ErrnoException;
  throw new KeystoreError(`${path}: cannot be read (${code})`, code === 'ENOENT' ? 'MISSING' : 'UNREADABLE');
}

/**
 * The paths of all files of a folder, sorted; names that begin with a dot are skipped.
 * @throws KeystoreError
 */
export async function listKeyFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) =>
    unreadable(folder, error),
  );
  return entries
    .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => join(folder, name))
    .sort();
}

/** Key files that are open or in memory at the same time, those included that wait for their derivation. */
const FILES_AT_A_TIME = 64;

/**
 * Opens key files, all with one password, on all cores. After a file that cannot be opened no further one is.
 * @throws KeystoreError naming the file
 */
export async function openKeyFiles(paths: readonly string[], password: string): Promise<Keystore> {
  const { derive } = new DerivationThreads();
  const open = (path: string) => openKeyFile(path, password, derive);
  return createKeystore(await mapConcurrently(paths, FILES_AT_A_TIME, open));
}

/** As `openKeyFiles` with every file of a folder. */
export async function openKeystoreFolder(folder: string, password: string): Promise<Keystore> {
  return openKeyFiles(await listKeyFiles(folder), password);
}

/**
 * Writes a key file that only its owner can read; once this resolves it is on the disk, whole.
 * @returns its path
 * @throws KeystoreError when a file of that name exists: a key is never overwritten
 */
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
  await writeNewWhole(path, text).catch((error: NodeJS.ErrnoException) => {
    throw unwritable(path, error);
  });
  return path;
}

function unwritable(path: string, { code }: NodeJS.ErrnoException): KeystoreError {
  return new KeystoreError(
    code === 'EEXIST' ? `${path}: there is a file of that name` : `${path}: cannot be written (${code})`,
  );
}
