import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { addressFromPublicKey } from '@tetrad/crypto';
import { isAddress, parseAddress, type Address } from '@tetrad/types';
import { z } from 'zod';
import { azureSection, azureSettingsOf } from '../azure/azure-section.js';
import { gcpKmsSection, gcpKmsSettingsOf } from '../gcp/gcp-section.js';
import { RemoteKeyError } from '../remote-key-error.js';
import { pkcs11NameProblem, type RemoteKeySettings } from './remote-key-settings.js';
import { awsKmsSection, awsKmsSettingsOf, pkcs11Section, pkcs11SettingsOf } from './signing-section.js';
import { TomlSectionError, parseTomlSection } from './toml-section.js';

/** A key, as a file names it; networks other than Ethereum have addresses of other kinds. */
export interface RemoteKeyFile<Name extends string = Address> {
  readonly path: string;
  /** Of the key, by the name of the file. */
  readonly address: Name;
  /** @param publicKey - 64 bytes x‖y */
  readonly addressOf: (publicKey: Uint8Array) => Name;
  readonly settings: RemoteKeySettings;
  /** 64 bytes x‖y, where the file has them. */
  readonly publicKey?: Uint8Array | undefined;
}

/** Far above what the settings of a key take. */
const MAX_BYTES = 65_536;
const FILE_NAME = /([0-9a-f]{40})\.toml$/;
const ofAll = {
  'public-key': z
    .string()
    .regex(/^[0-9a-f]{128}$/i, 'must be 128 hex digits')
    .optional(),
};
const sections = z.discriminatedUnion('type', [
  awsKmsSection.extend(ofAll),
  azureSection.extend(ofAll),
  gcpKmsSection.extend(ofAll),
  pkcs11Section.extend(ofAll),
]);

/** Whether a file of this name is not a key file, but the file of a key that signs elsewhere. */
export function isRemoteKeyFile(name: string): boolean {
  return name.endsWith('.toml');
}

/** The lower-case address that a file's name ends with before `.toml`, whatever is before it. */
export function addressOfFileName(name: string): Address | undefined {
  const address = `0x${FILE_NAME.exec(name)?.[1] ?? ''}`;
  return isAddress(address) ? parseAddress(address) : undefined;
}

/**
 * Reads which key a TOML file names, of the Ethereum address in the name of the file. The service of the key is not asked.
 *
 * @throws RemoteKeyError UNSUPPORTED naming the file and what is wrong in it
 */
export async function readRemoteKeyFile(path: string): Promise<RemoteKeyFile> {
  const address = addressOfFileName(basename(path));
  if (address !== undefined) {
    const { settings, publicKey } = await readSections(path);
    return { path, address, addressOf: addressFromPublicKey, settings, publicKey };
  }
  const problem = 'its name must end with the address of the key, in lower case and without 0x, and .toml';
  throw new RemoteKeyError('UNSUPPORTED', `${path}: ${problem}`);
}

/**
 * Reads which key of which service a TOML file names, whatever the file is called.
 *
 * @throws RemoteKeyError UNSUPPORTED naming the file and what is wrong in it
 */
export async function readRemoteKeySettings(path: string): Promise<RemoteKeySettings> {
  return (await readSections(path)).settings;
}

async function readSections(path: string): Promise<Pick<RemoteKeyFile, 'settings' | 'publicKey'>> {
  const fault = (problem: string) => new RemoteKeyError('UNSUPPORTED', `${path}: ${problem}`);
  const toml = await readText(path).catch((error: NodeJS.ErrnoException) => {
    throw fault(`cannot be read (${error.code ?? error.message})`);
  });
  try {
    const section = parseTomlSection(toml, { name: 'signing', sections });
    const settings = settingsOf(section, dirname(resolve(path)));
    const problem = settings.kind === 'pkcs11' ? pkcs11NameProblem(settings) : undefined;
    if (problem !== undefined) throw fault(problem);
    const digits = section['public-key'];
    return { settings, publicKey: digits === undefined ? undefined : Buffer.from(digits, 'hex') };
  } catch (error) {
    throw error instanceof TomlSectionError ? fault(error.message) : error;
  }
}

function settingsOf(section: z.output<typeof sections>, folder: string): RemoteKeySettings {
  switch (section.type) {
    case 'pkcs11-signer':
      return { kind: 'pkcs11', ...pkcs11SettingsOf(section, folder) };
    case 'aws-kms-signer':
      return { kind: 'aws-kms', ...awsKmsSettingsOf(section) };
    case 'azure-signer':
      return { kind: 'azure-key', ...azureSettingsOf(section, folder) };
    case 'gcp-kms-signer':
      return { kind: 'gcp-kms', ...gcpKmsSettingsOf(section, folder) };
  }
}

async function readText(path: string): Promise<string> {
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new Error('it is not a file');
    if (stat.size > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES} bytes`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}
