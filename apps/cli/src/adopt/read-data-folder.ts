import { open, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { addressFromPrivateKey, isPrivateKey, publicKeyFromPrivateKey } from '@tetrad/crypto';
import { openKeyFile } from '@tetrad/keystore';
import { hexFromBytes, parseAddress, withoutByteOrderMark, type Address } from '@tetrad/types';
import { AdoptedFileError } from './adopted-file-error.js';

/** Maximum size of a file that is read, and maximum numbers of key files of an account store and of entries of a list of nodes. */
const MAX_BYTES = 64 * 1_048_576;
const MAX_KEY_FILES = 1_000;
const MAX_NODES = 10_000;

/** Lists of nodes in the data folder of a GoQuorum node, in the order of the table. */
export const NODE_LISTS = ['static-nodes.json', 'permissioned-nodes.json', 'disallowed-nodes.json'] as const;
export const PERMISSION_CONFIG = 'permission-config.json';

/** An account of the node. */
export interface AccountFile {
  readonly name: string;
  readonly path: string;
  readonly address: Address;
}

/** What is taken from the data folder of a GoQuorum node. */
export interface DataFolder {
  readonly nodeKey: Uint8Array;
  readonly address: Address;
  /** 128 hex digits. */
  readonly nodeId: string;
  /** Path of the key file; undefined when the key was a flag. */
  readonly nodeKeyFile: string | undefined;
  /** Text of each list that is there, by its name; and of the permission configuration. */
  readonly files: ReadonlyMap<string, string>;
  /** Enode URLs of static-nodes.json. */
  readonly staticNodes: readonly string[];
  /** In the order of their names, which is that of `--unlock INDEX`. */
  readonly accounts: readonly AccountFile[];
}

/** Flags that say where keys are; relative paths are against the current folder. */
export interface FolderFlags {
  readonly nodekey?: string | undefined;
  readonly nodekeyhex?: string | undefined;
  readonly keystore?: string | undefined;
}

/**
 * Reads the folder, and changes nothing in it.
 * @throws AdoptedFileError that names the file and what is wrong
 */
export async function readDataFolder(dir: string, flags: FolderFlags): Promise<DataFolder> {
  const nodeKeyFile =
    flags.nodekeyhex === undefined ? resolve(flags.nodekey ?? join(dir, 'geth/nodekey')) : undefined;
  const keyText = nodeKeyFile === undefined ? flags.nodekeyhex : await readText(nodeKeyFile);
  if (keyText === undefined) throw new AdoptedFileError(`${nodeKeyFile}: the node key is not there`);
  const nodeKey = parseNodeKey(keyText, nodeKeyFile ?? '--nodekeyhex');
  const files = new Map<string, string>();
  for (const name of [...NODE_LISTS, PERMISSION_CONFIG]) {
    const text = await readText(join(dir, name));
    if (text !== undefined) files.set(name, text);
  }
  const lists = NODE_LISTS.map((name) => parseNodeList(files.get(name), join(dir, name)));
  assertPermissionConfig(files.get(PERMISSION_CONFIG), join(dir, PERMISSION_CONFIG));
  return {
    nodeKey,
    nodeKeyFile,
    files,
    staticNodes: lists[0] ?? [],
    address: addressFromPrivateKey(nodeKey),
    nodeId: hexFromBytes(publicKeyFromPrivateKey(nodeKey)).slice(2),
    accounts: await readAccounts(resolve(flags.keystore ?? join(dir, 'keystore'))),
  };
}

/**
 * Opens the accounts with their passwords, to be sure of them.
 * @throws AdoptedFileError that names the file
 */
export async function assertOpens(accounts: readonly AccountFile[], password: string): Promise<void> {
  for (const { path } of accounts)
    await openKeyFile(path, password).catch((error: Error) => {
      throw new AdoptedFileError(error.message);
    });
}

/**
 * The text of a file; undefined when it is not there.
 * @throws AdoptedFileError
 */
export async function readText(path: string): Promise<string | undefined> {
  // Before it is opened: opening a pipe without a writer never ends, and a device has no end.
  const found = await unlessAbsent(stat(path), path);
  if (found !== undefined && !found.isFile()) throw new AdoptedFileError(`${path}: is not a regular file`);
  const file = found === undefined ? undefined : await unlessAbsent(open(path), path);
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    if (size > MAX_BYTES) throw new AdoptedFileError(`${path}: exceeds ${MAX_BYTES} bytes`);
    return decodeText(await file.readFile(), path);
  } catch (error) {
    if (error instanceof AdoptedFileError) throw error;
    throw new AdoptedFileError(`${path}: cannot be read (${(error as NodeJS.ErrnoException).code})`);
  } finally {
    await file.close();
  }
}

/**
 * What is read; undefined for a file that is not there.
 * @throws AdoptedFileError
 */
function unlessAbsent<T>(read: Promise<T>, path: string): Promise<T | undefined> {
  return read.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new AdoptedFileError(`${path}: cannot be read (${error.code})`);
  });
}

/** @throws AdoptedFileError for UTF-16, as PowerShell writes with > */
function decodeText(bytes: Buffer, path: string): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new AdoptedFileError(`${path}: is written in UTF-16; write it in UTF-8`);
  return bytes.toString('utf8');
}

/**
 * The JSON of a file.
 * @throws AdoptedFileError
 */
export function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(withoutByteOrderMark(text));
  } catch (error) {
    throw new AdoptedFileError(`${path}: is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
}

function parseNodeKey(text: string, name: string): Uint8Array {
  const digits = text.trim();
  if (!/^[0-9a-fA-F]{64}$/.test(digits))
    throw new AdoptedFileError(`${name}: has ${digits.length} characters, not 64 hex digits`);
  const key = Buffer.from(digits, 'hex');
  if (!isPrivateKey(key)) throw new AdoptedFileError(`${name}: is not a private key`);
  return key;
}

function parseNodeList(text: string | undefined, path: string): string[] {
  if (text === undefined) return [];
  const list = parseJson(text, path);
  if (!Array.isArray(list)) throw new AdoptedFileError(`${path}: is not a list`);
  if (list.length > MAX_NODES) throw new AdoptedFileError(`${path}: has more than ${MAX_NODES} entries`);
  return list.map((entry: unknown, index) => {
    if (typeof entry === 'string' && /^enode:\/\/[0-9a-fA-F]{128}(?:@|$)/.test(entry)) return entry;
    throw new AdoptedFileError(`${path}: entry ${index + 1} is not an enode URL`);
  });
}

function assertPermissionConfig(text: string | undefined, path: string): void {
  if (text === undefined) return;
  const config = parseJson(text, path);
  const isObject = typeof config === 'object' && config !== null && !Array.isArray(config);
  if (!isObject) throw new AdoptedFileError(`${path}: is not a JSON object`);
  // GoQuorum reads the names in any case.
  const entries = Object.entries(config as Record<string, unknown>);
  const [, address] = entries.find(([name]) => name.toLowerCase() === 'interfaceaddress') ?? [];
  if (typeof address !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(address))
    throw new AdoptedFileError(`${path}: interfaceAddress: is not an address`);
}

async function readAccounts(folder: string): Promise<AccountFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new AdoptedFileError(`${folder}: cannot be read (${error.code})`);
  });
  const names = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => name);
  if (names.length > MAX_KEY_FILES)
    throw new AdoptedFileError(`${folder}: has more than ${MAX_KEY_FILES} files`);
  const accounts: (AccountFile | undefined)[] = [];
  for (const name of names.sort()) accounts.push(await readAccount(join(folder, name), name));
  return accounts.filter((account) => account !== undefined);
}

/**
 * @returns undefined for a file that keeps its address to itself, which geth does not list, so that `--unlock` never
 *   meant it
 */
async function readAccount(path: string, name: string): Promise<AccountFile | undefined> {
  const json = parseJson((await readText(path)) ?? '', path) as { address?: unknown } | null;
  if (json?.address === null || json?.address === '') return undefined;
  const digits = typeof json?.address === 'string' ? json.address.replace(/^0x/, '') : '';
  if (!/^[0-9a-fA-F]{40}$/.test(digits)) throw new AdoptedFileError(`${path}: address: is not an address`);
  return { name, path, address: parseAddress(`0x${digits.toLowerCase()}`) };
}
