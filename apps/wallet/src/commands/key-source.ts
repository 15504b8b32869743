import { readFile, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { reasonOf } from '@tetrad/service';
import { OperatorError } from '@tetrad/types';
import {
  parseCoinAddress,
  type KeyKind,
  detectFormat,
  importKey,
  parseLotusFile,
  parseLotusFileName,
  type CoinPrivateKey,
} from '@tetrad/wallet-key';

/** How the text of a key is to be read. */
export interface KeyText {
  /** `auto` detects the format from the text. */
  readonly format: string;
  readonly kind: KeyKind | undefined;
}

/** Maximum number of entries of a key store. */
const MAX_ENTRIES = 100_000;

/**
 * The files that a path means: itself, or the wallet entries of a node's key store, which is the folder or, in that of a
 * whole repository, its `keystore`. Deleted keys and those for tokens and peers are left out.
 * @throws OperatorError
 */
export async function keyFiles(path: string): Promise<string[]> {
  const { isFolder } = await statOf(path);
  if (!isFolder) return [path];
  const files = [...(await walletEntries(path)), ...(await walletEntries(join(path, 'keystore')))];
  if (files.length === 0) throw new OperatorError(`${path}: no file of a wallet key, nor in its keystore`);
  return files;
}

async function walletEntries(folder: string): Promise<string[]> {
  const all = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    return unreadable(folder, error);
  });
  if (all.length > MAX_ENTRIES) throw new OperatorError(`${folder}: has more than ${MAX_ENTRIES} entries`);
  const names = all.filter((name) => parseLotusFileName(name)?.what === 'wallet');
  return names.sort().map((name) => join(folder, name));
}

/** A key, and the format that it was found in; none for an entry of a key store. */
export interface KeyFound {
  readonly key: CoinPrivateKey;
  readonly format?: string;
}

/**
 * The key of a file; one with the name of a key-store entry must be as a node keeps it.
 * @throws CoinKeyError, OperatorError
 */
export async function readKeyFile(path: string, how: KeyText): Promise<KeyFound> {
  const { mode } = await statOf(path);
  const text = await readFile(path, 'utf8').catch((error: unknown) => unreadable(path, error));
  const entry = parseLotusFileName(basename(path));
  if (entry === undefined) return readKeyText(text, how);
  const key = parseLotusFile(entry.name, mode, text);
  if ('address' in entry && !key.address().equals(parseCoinAddress(entry.address))) {
    throw new OperatorError(`${path}: contains the key of another address than ${entry.address}`);
  }
  return { key };
}

/** @throws CoinKeyError, OperatorError */
export function readKeyText(text: string, how: KeyText): KeyFound {
  const format = how.format === 'auto' ? detectFormat(text) : how.format;
  // Of the other forms the text says it.
  if (how.kind === undefined && format === 'hex-eth')
    throw new OperatorError(
      'bare hex names no key type: give --type secp256k1 (address f1…) or --type delegated (f410f…)',
    );
  const key = importKey(text, { format, kind: how.kind });
  if (how.kind !== undefined && key.kind !== how.kind) {
    key.wipe();
    throw new OperatorError(`the key is of type ${key.kind}, not ${how.kind} as --type says`);
  }
  return { key, format };
}

async function statOf(path: string): Promise<{ mode: number; isFolder: boolean }> {
  const stats = await stat(path).catch((error: unknown) => unreadable(path, error));
  return { mode: stats.mode, isFolder: stats.isDirectory() };
}

function unreadable(path: string, error: unknown): never {
  throw new OperatorError(`cannot read ${path}: ${reasonOf(error).replace(/, .*$/, '')}`);
}
