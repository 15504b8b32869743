import { join, resolve } from 'node:path';
import { FileError, readSmallText } from '@tetrad/files';
import {
  addressOfFileName,
  awsKmsSettingsOf,
  azureSettingsOf,
  gcpKmsSettingsOf,
  pkcs11SettingsOf,
  vaultLoginOf,
  type VaultTrust,
} from '@tetrad/remote-keys';
import { firstLine, mapConcurrently, type Address } from '@tetrad/types';
import type { KeySourceParts } from './key-source-parts.js';
import type { KeyEntry, KeySource, ScannedEntry } from './key-entry.js';
import { keyFileEntry } from './key-file-entry.js';
import { KeyLoadError, faultOf } from './key-load-error.js';
import { rawKeyEntry } from './raw-key-entry.js';
import { listFiles } from './read-file.js';
import { awsKmsEntry } from './remote/aws-kms-entry.js';
import { gcpKmsEntry } from './remote/gcp-kms-entry.js';
import { azureKeyEntry } from './remote/azure-key-entry.js';
import { pkcs11Entry } from './remote/pkcs11-entry.js';
import { parseSignerFile, type HashicorpSigner } from './signer-file.js';
import { vaultEntry } from './remote/vault-entry.js';

/** Files read at a time. */
const READS_AT_A_TIME = 16;

/** A directory of TOML signer files, as EthSigner's multikey-signer has it. */
export function signerFileFolder(directory: string, parts: KeySourceParts): KeySource {
  const folder = resolve(directory);
  return {
    id: `signer files of ${folder}`,
    check: 'keys-check/config-files-loading',
    isSingle: false,
    folders: [folder],
    async scan() {
      const names = (await listFiles(folder)).filter((name) => name.endsWith('.toml'));
      const namesakes = byAddress(names);
      return mapConcurrently(names, READS_AT_A_TIME, async (name): Promise<ScannedEntry> => {
        const path = join(folder, name);
        try {
          const expected = addressOfFileName(name);
          assertNamed(expected, expected === undefined ? [] : (namesakes.get(expected) ?? []));
          return await readEntry({ path, folder, expected, ...parts });
        } catch (error) {
          return {
            name: path,
            fault: error instanceof FileError ? `cannot be read (${error.code})` : faultOf(error),
          };
        }
      });
    },
  };
}

function byAddress(names: readonly string[]): ReadonlyMap<Address, readonly string[]> {
  const groups = new Map<Address, string[]>();
  for (const name of names) {
    const address = addressOfFileName(name);
    if (address !== undefined) groups.set(address, [...(groups.get(address) ?? []), name]);
  }
  return groups;
}

function assertNamed(
  expected: Address | undefined,
  namesakes: readonly string[],
): asserts expected is Address {
  if (expected === undefined) {
    throw new KeyLoadError('the name of a signer file ends with a lower-case address without 0x, and .toml');
  }
  if (namesakes.length > 1) {
    throw new KeyLoadError(`more than one file is named for ${expected}: ${namesakes.join(', ')}`);
  }
}

interface Place extends KeySourceParts {
  readonly path: string;
  readonly folder: string;
  readonly expected: Address;
}

async function readEntry({ path, folder, expected, ...parts }: Place): Promise<KeyEntry> {
  const { services, vaults } = parts;
  const settings = await readSmallText(path);
  const signer = parseSignerFile(settings);
  switch (signer.type) {
    case 'file-based-signer':
      return keyFileEntry({
        name: path,
        settings,
        keyFile: resolve(folder, signer['key-file']),
        passwordFile: resolve(folder, signer['password-file']),
        expected,
        passwordOf: firstLine,
        parts,
      });
    case 'hashicorp-signer':
      return vaultEntry(path, { ...vaultSettings(signer, folder), expected }, vaults);
    case 'aws-kms-signer':
      return awsKmsEntry(path, { ...awsKmsSettingsOf(signer), expected }, services);
    case 'azure-signer':
      return azureKeyEntry(path, { ...azureSettingsOf(signer, folder), expected }, services);
    case 'gcp-kms-signer':
      return gcpKmsEntry(path, { ...gcpKmsSettingsOf(signer, folder), expected }, services);
    case 'pkcs11-signer':
      return pkcs11Entry(path, { ...pkcs11SettingsOf(signer, folder), expected }, services);
    case 'raw-signer':
      return rawKeyEntry({
        name: path,
        hex: signer['priv-key'],
        file: path,
        where: 'signing.priv-key',
        expected,
      });
  }
}

function vaultSettings(signer: HashicorpSigner, folder: string) {
  const { keyPath, keyName, namespace, serverHost, serverPort, timeout } = signer;
  return {
    host: serverHost,
    port: serverPort,
    path: keyPath,
    keyName,
    login: vaultLoginOf(signer, folder),
    namespace,
    timeoutMs: timeout,
    trust: signer.tlsEnable ? trustOf(signer, folder) : undefined,
  };
}

function trustOf(signer: HashicorpSigner, folder: string): VaultTrust {
  const { tlsTrustStoreType: type, tlsTrustStorePath: path, tlsTrustStorePassword: password } = signer;
  if (type === undefined) {
    if (path !== undefined)
      throw new KeyLoadError('signing.tlsTrustStoreType: is required with tlsTrustStorePath');
    return { type: 'SYSTEM' };
  }
  if (path === undefined)
    throw new KeyLoadError('signing.tlsTrustStorePath: is required with tlsTrustStoreType');
  const file = resolve(folder, path);
  switch (type) {
    case 'PEM':
      return { type, file };
    case 'WHITELIST':
    case 'ALLOWLIST':
      return { type: 'KNOWN_SERVERS', file };
    case 'JKS':
    case 'PKCS12':
      if (password === undefined) throw new KeyLoadError('signing.tlsTrustStorePassword: is required');
      return { type, file, password };
  }
}
