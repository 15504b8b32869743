import { readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { decryptKeyFile } from '@tetrad/keystore';
import { bytesFromHex, firstLine, type Hex } from '@tetrad/types';
import { FUNDED_ACCOUNTS } from '../../network/network-files.js';
import { passwordFileOf } from '../../network/node-files.js';
import { managerPrivateKey } from './manager-private-key.js';
import type { Secret } from './secret-forms.js';

/** Names of files in a network's folder that hold a secret as text, as it is. */
const TEXT_FILES = new Set(['password', 'passphrase']);

/** A member of version 3 key files, whose names have no extension. */
const KEY_FILE_MEMBER = '"crypto"';

/**
 * The secrets in the folders of a network and of those below it: node keys, accounts, keys of managers, passwords.
 * @throws Error for a key file that its password does not open
 */
export async function secretsInFolder(folder: string): Promise<Secret[]> {
  const files = await filesBelow(folder);
  const passwords = await passwordsIn(files);
  const found = await Promise.all(files.map((file) => secretsInFile(file, { folder, passwords })));
  const funded = FUNDED_ACCOUNTS.map(({ address, privateKey: bytes }) => ({
    name: `key of ${address}`,
    bytes,
  }));
  return [...found.flat(), ...funded];
}

/**
 * The passwords in URLs, such as those of databases.
 * @param named - text by name; a text that is not a URL has none
 */
export function passwordsInUrls(named: Readonly<Record<string, string>>): Secret[] {
  return Object.entries(named).flatMap(([name, text]) => {
    const password = URL.canParse(text) ? decodeURIComponent(new URL(text).password) : '';
    return password === '' ? [] : [textSecret(`password in ${name}`, password)];
  });
}

export function textSecret(name: string, text: string): Secret {
  return { name, bytes: Buffer.from(text) };
}

async function secretsInFile(
  file: string,
  { folder, passwords }: { readonly folder: string; readonly passwords: Passwords },
): Promise<Secret[]> {
  const name = file.slice(folder.length + 1);
  const [base = ''] = name.split('/').slice(-1);
  if (base === 'nodekey') return [await hexSecret(name, file)];
  if (TEXT_FILES.has(base)) return [textSecret(name, firstLine(await readFile(file, 'utf8')))];
  if (base === 'manager.key')
    return [
      { name, bytes: await managerPrivateKey(await readFile(file, 'utf8'), passwordFor(file, passwords)) },
    ];
  if (base.includes('.')) return [];
  const text = await readFile(file, 'utf8');
  if (!text.toLowerCase().includes(KEY_FILE_MEMBER)) return [];
  return [{ name, bytes: (await decryptKeyFile(text, passwordFor(file, passwords), name)).privateKey }];
}

/** Folder of a network → the password of its keys. A network below another one has its own. */
type Passwords = ReadonlyMap<string, string>;

async function passwordsIn(files: readonly string[]): Promise<Passwords> {
  const found = files.filter((file) => file === passwordFileOf(dirname(file)));
  const read = found.map(async (file) => [dirname(file), firstLine(await readFile(file, 'utf8'))] as const);
  return new Map(await Promise.all(read));
}

/**
 * Of the nearest network above the file.
 * @throws Error when there is none
 */
function passwordFor(file: string, passwords: Passwords): string {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const password = passwords.get(folder);
    if (password !== undefined) return password;
  }
  throw new Error(`${file}: no network above it has a password`);
}

async function hexSecret(name: string, file: string): Promise<Secret> {
  const text = firstLine(await readFile(file, 'utf8'));
  return { name, bytes: bytesFromHex(`0x${text}` as Hex) };
}

/** Regular files below the folder; the database server keeps its own in a folder that need not be readable. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EACCES') return [];
    throw error;
  });
  const found = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return isOfServer(entry.name) ? [] : filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
  return (await Promise.all(found)).flat();
}

const isOfServer = (name: string) => name === 'postgres' || name === 'etcd';
