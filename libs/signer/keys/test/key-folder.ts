import { randomUUID } from 'node:crypto';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressFromPrivateKey, generatePrivateKey } from '@tetrad/crypto';
import { encryptKeyFile } from '@tetrad/keystore';
import { hexFromBytes, type Address } from '@tetrad/types';

/** A key of a test, with its V3 file; cheap to decrypt. */
export interface TestKey {
  readonly address: Address;
  /** The address without 0x, as file names have it. */
  readonly name: string;
  /** 64 digits. */
  readonly hex: string;
  readonly keyFile: string;
}

export const PASSWORD = 'pass-word-of-tests';

export async function createKey({ password = PASSWORD, scryptN = 64 } = {}): Promise<TestKey> {
  const privateKey = generatePrivateKey();
  const address = addressFromPrivateKey(privateKey);
  return {
    address,
    name: address.slice(2),
    hex: hexFromBytes(privateKey).slice(2),
    keyFile: await encryptKeyFile(privateKey, password, { scryptN }),
  };
}

export function createKeys(count: number): Promise<TestKey[]> {
  return Promise.all(Array.from({ length: count }, () => createKey()));
}

/** In ascending order, as keys are listed. */
export function addressesOf(keys: readonly TestKey[]): Address[] {
  return keys.map(({ address }) => address).sort();
}

/** A folder of a test's own. */
export interface KeyFolder {
  readonly path: string;
  /** Writes a file and gives its path. */
  write(name: string, content: string): Promise<string>;
  remove(name: string): Promise<void>;
  /** Writes key file, password file and the TOML file for a key. */
  addFileSigner(key: TestKey, options?: { prefix?: string; password?: string }): Promise<void>;
  addRawSigner(key: TestKey): Promise<void>;
  /** Writes key file, password file and the YAML file for a key. */
  addKeystoreConfig(key: TestKey): Promise<void>;
}

const folders: string[] = [];

export async function createFolder(): Promise<KeyFolder> {
  const path = await mkdtemp(join(tmpdir(), 'tetrad-signer-keys-'));
  folders.push(path);
  // Written atomically: a watcher of the folder never reads half a file.
  const write = async (name: string, content: string) => {
    const draft = `${path}-${randomUUID()}`;
    await writeFile(draft, content, { mode: 0o600 });
    await rename(draft, join(path, name));
    return join(path, name);
  };
  return {
    path,
    write,
    remove: (name) => rm(join(path, name)),
    async addFileSigner(key, { prefix = '', password = PASSWORD } = {}) {
      await write(`${key.name}.json`, key.keyFile);
      await write(`${key.name}.password`, password);
      await write(`${prefix}${key.name}.toml`, fileSigner(`${key.name}.json`, `${key.name}.password`));
    },
    addRawSigner: async (key) => void (await write(`${key.name}.toml`, rawSigner(key.hex))),
    async addKeystoreConfig(key) {
      await write(`${key.name}.json`, key.keyFile);
      await write(`${key.name}.password`, PASSWORD);
      await write(`${key.name}.yaml`, keystoreConfig(`${key.name}.json`, `${key.name}.password`));
    },
  };
}

export async function removeFolders(): Promise<void> {
  for (const path of folders.splice(0)) await rm(path, { recursive: true, force: true });
}

export function fileSigner(keyFile: string, passwordFile: string): string {
  return `[metadata]\ncreatedAt = 2019-11-05T08:15:30-05:00\ndescription = "of a test"\n\n[signing]\ntype = "file-based-signer"\nkey-file = "${keyFile}"\npassword-file = "${passwordFile}"\n`;
}

export function rawSigner(hex: string): string {
  return `[signing]\ntype = "raw-signer"\npriv-key = "${hex}"\n`;
}

export function vaultSigner(settings: Record<string, string | number | boolean>): string {
  const lines = Object.entries(settings).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  return `[signing]\ntype = "hashicorp-signer"\n${lines.join('\n')}\n`;
}

/** web3signer's, in YAML; the key is written as it is given. */
export function rawConfig(privateKey: string): string {
  return `type: file-raw\nprivateKey: ${privateKey}\nkeyType: SECP256K1\n`;
}

export function keystoreConfig(keystoreFile: string, keystorePasswordFile: string): string {
  return `type: "file-keystore"\nkeystoreFile: "${keystoreFile}"\nkeystorePasswordFile: "${keystorePasswordFile}"\nkeyType: "SECP256K1"\n`;
}

export function vaultConfig(settings: Record<string, string | number | boolean>): string {
  const lines = Object.entries(settings).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `type: hashicorp\nkeyType: secp256k1\n${lines.join('\n')}\n`;
}
