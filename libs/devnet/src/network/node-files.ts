import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addressFromPrivateKey, generatePrivateKey, publicKeyFromPrivateKey } from '@tetrad/crypto';
import { readPasswordFile, writeKeyFile } from '@tetrad/keystore';
import { hexFromBytes, type Address } from '@tetrad/types';

/** The files of a node. */
export interface NodeFiles {
  readonly name: string;
  readonly folder: string;
  readonly nodeKeyFile: string;
  /** Address of the node key. */
  readonly address: Address;
  /** 64 bytes of its public key, as hex without 0x. */
  readonly nodeId: string;
  readonly keystoreDir: string;
  /** The account in it. */
  readonly account: Address;
}

/** In the node's folder it makes the node permissioned; in the network's, it exists once the contracts are deployed. */
export const PERMISSION_CONFIG = 'permission-config.json';

/** On a development network the password of all keys is stored next to them. */
export const passwordFileOf = (dataDir: string) => join(dataDir, 'password');
/** Weak scrypt only saves time. */
const SCRYPT_N = 4_096;

/** Makes key and account of a node. */
export async function makeNodeFiles(dataDir: string, index: number): Promise<NodeFiles> {
  const name = `node${index}`;
  const folder = join(dataDir, name);
  const keystoreDir = join(folder, 'keystore');
  await mkdir(keystoreDir, { recursive: true });
  const nodeKey = generatePrivateKey();
  const nodeKeyFile = join(folder, 'nodekey');
  await writeFile(nodeKeyFile, `${hexFromBytes(nodeKey).slice(2)}\n`, { mode: 0o600 });
  const account = await makeAccount(keystoreDir, 'account-0', passwordFileOf(dataDir));
  return {
    name,
    folder,
    nodeKeyFile,
    keystoreDir,
    address: addressFromPrivateKey(nodeKey),
    nodeId: hexFromBytes(publicKeyFromPrivateKey(nodeKey)).slice(2),
    account: account.address,
  };
}

/** @param passwordFile - its first line encrypts the key file */
export async function makeAccount(
  folder: string,
  name: string,
  passwordFile: string,
): Promise<{ path: string; address: Address }> {
  const privateKey = generatePrivateKey();
  const file = join(folder, name);
  // An interrupted start left a file that nothing refers to.
  const path = existsSync(file) ? `${file}-${Date.now()}` : file;
  await writeKeyFile(folder, {
    privateKey,
    password: await readPasswordFile(passwordFile),
    name: path.slice(folder.length + 1),
    scryptN: SCRYPT_N,
  });
  return { path, address: addressFromPrivateKey(privateKey) };
}
