import { join, resolve } from 'node:path';
import { FileError, readSmallText } from '@tetrad/files';
import { REMOTE_KEY_TIMEOUT_MS, type RemoteServices, vaultLoginOf } from '@tetrad/remote-keys';
import { firstLine, mapConcurrently } from '@tetrad/types';
import type { KeySourceParts } from './key-source-parts.js';
import type { KeyEntry, KeySource, ScannedEntry } from './key-entry.js';
import {
  MemberError,
  parseKeyConfig,
  type AwsKmsConfig,
  type AwsSecretConfig,
  type GcpKmsConfig,
  type HashicorpConfig,
  type Pkcs11Config,
} from './key-config.js';
import { keyFileEntry } from './key-file-entry.js';
import { KeyLoadError, faultOf } from './key-load-error.js';
import { rawKeyEntry } from './raw-key-entry.js';
import { listFiles } from './read-file.js';
import { awsKmsEntry } from './remote/aws-kms-entry.js';
import { azureKeySettings } from './remote/azure-key-config.js';
import { awsSecretEntry } from './remote/aws-secrets.js';
import { azureKeyEntry } from './remote/azure-key-entry.js';
import { azureSecretEntry } from './remote/azure-secret-entry.js';
import { azureVaultSettings } from './remote/azure-vault-config.js';
import { gcpKmsEntry } from './remote/gcp-kms-entry.js';
import { pkcs11Entry } from './remote/pkcs11-entry.js';
import { vaultEntry } from './remote/vault-entry.js';
import type { YamlDocument } from './yaml-documents.js';

/** Files, and then documents, read at a time. */
const READS_AT_A_TIME = 16;

/** A folder of YAML files, as web3signer's key-config-path has it. */
export interface KeyConfigFolder {
  readonly directory: string;
  /** Bytes of the largest file that is read. */
  readonly maxFileBytes: number;
}

interface ScanParts extends KeySourceParts {
  readonly folder: string;
}

/** One document, and where it stands; or a whole file that cannot be read. */
interface Place {
  /** The path, and the number of the document in it from 1. */
  readonly name: string;
  readonly file: string;
  readonly document: YamlDocument;
}

/** The keys that the documents in a folder of YAML files ask for; a file holds one or more. */
export function keyConfigFolder(settings: KeyConfigFolder, parts: KeySourceParts): KeySource {
  const folder = resolve(settings.directory);
  return {
    id: `key configurations of ${folder}`,
    check: 'keys-check/config-files-loading',
    isSingle: false,
    folders: [folder],
    async scan() {
      const names = (await listFiles(folder)).filter((name) => /\.ya?ml$/i.test(name));
      const files = await mapConcurrently(names, READS_AT_A_TIME, (name) =>
        documentsOf(join(folder, name), settings.maxFileBytes),
      );
      const places = files.flat();
      const entries = await mapConcurrently(places, READS_AT_A_TIME, (place) =>
        scanDocument(place, { folder, ...parts }),
      );
      return underOwnNames(entries, places);
    },
  };
}

async function documentsOf(file: string, maxFileBytes: number): Promise<readonly Place[]> {
  const { readYamlDocuments } = await import('./yaml-documents.js');
  try {
    const documents = await readYamlDocuments(await readSmallText(file, maxFileBytes));
    return documents.map((document, index) => ({ name: `${file}, document ${index + 1}`, file, document }));
  } catch (error) {
    return [{ name: file, file, document: { fault: fileFault(error, maxFileBytes) } }];
  }
}

function fileFault(error: unknown, maxFileBytes: number): string {
  if (!(error instanceof FileError)) return faultOf(error);
  return error.code === 'TOO_LARGE'
    ? `has more than ${maxFileBytes} bytes (--key-store-config-file-max-size)`
    : `cannot be read (${error.code})`;
}

async function scanDocument({ name, file, document }: Place, parts: ScanParts): Promise<ScannedEntry> {
  if ('fault' in document) return { name, fault: document.fault };
  try {
    return await readEntry(file, document.value, parts);
  } catch (error) {
    const line = error instanceof MemberError ? ` (line ${document.lineOf(error.member)})` : '';
    return { name, fault: `${faultOf(error)}${line}` };
  }
}

/**
 * Entries are named by their content and not by their position in the file, so that removing a document before them
 * does not open them again; a duplicate is named by its position.
 */
function underOwnNames(entries: readonly ScannedEntry[], places: readonly Place[]): readonly ScannedEntry[] {
  const taken = new Set<string>();
  return entries.map((entry, index) => {
    const name = taken.has(entry.name) ? `${places[index]?.name} (again)` : entry.name;
    taken.add(name);
    return { ...entry, name };
  });
}

async function readEntry(file: string, value: unknown, { folder, ...parts }: ScanParts): Promise<KeyEntry> {
  const { services, vaults } = parts;
  const config = parseKeyConfig(value);
  switch (config.type) {
    case 'file-raw':
      return rawKeyEntry({
        name: ({ address }) => `${file} (${address})`,
        hex: config.privateKey,
        file,
        where: 'privateKey',
      });
    case 'file-keystore': {
      const keyFile = resolve(folder, config.keystoreFile);
      const passwordFile = resolve(folder, config.keystorePasswordFile);
      const passwordOf = (content: string) => nonEmptyFirstLine(content, passwordFile);
      return keyFileEntry({ name: `${file} (${keyFile})`, keyFile, passwordFile, passwordOf, parts });
    }
    case 'hashicorp':
      return vaultConfigEntry(file, config, { folder, vaults });
    case 'aws-kms':
      return awsKmsConfigEntry(file, config, services);
    case 'aws-secret':
      return awsSecretConfigEntry(file, config, services);
    case 'azure-key': {
      const name = `${file} (Azure vault ${config.vaultName}, key ${config.keyName})`;
      return azureKeyEntry(name, azureKeySettings(config, folder), services);
    }
    case 'azure-secret': {
      const { vaultName, secretName } = config;
      const settings = { ...azureVaultSettings(config, folder), secretName };
      return azureSecretEntry(`${file} (Azure vault ${vaultName}, secret ${secretName})`, settings, services);
    }
    case 'gcp-kms':
      return gcpKmsConfigEntry(file, config, { folder, services });
    case 'pkcs11':
      return pkcs11ConfigEntry(file, config, { folder, services });
  }
}

function awsKmsConfigEntry(file: string, config: AwsKmsConfig, services: RemoteServices): KeyEntry {
  const { region, kmsKeyId: keyId } = config;
  const settings = { ...awsAccountOf(config), keyId };
  return awsKmsEntry(`${file} (AWS KMS ${region}, key ${keyId})`, settings, services);
}

function awsSecretConfigEntry(file: string, config: AwsSecretConfig, services: RemoteServices): KeyEntry {
  const { region, secretName } = config;
  const settings = { ...awsAccountOf(config), secretName };
  return awsSecretEntry(`${file} (AWS Secrets Manager ${region}, secret ${secretName})`, settings, services);
}

function awsAccountOf(config: AwsKmsConfig | AwsSecretConfig) {
  const { region, endpointOverride: endpoint, sessionToken } = config;
  const { authenticationMode, accessKeyId = '', secretAccessKey = '' } = config;
  const token = sessionToken === undefined ? {} : { sessionToken };
  const credentials =
    authenticationMode === 'ENVIRONMENT' ? undefined : { accessKeyId, secretAccessKey, ...token };
  return { region, endpoint, credentials, timeoutMs: REMOTE_KEY_TIMEOUT_MS };
}

function gcpKmsConfigEntry(
  file: string,
  { keyVersion, credentialsFile, endpointOverride, metadataOverride, timeout }: GcpKmsConfig,
  { folder, services }: Pick<ScanParts, 'folder' | 'services'>,
): KeyEntry {
  const settings = {
    keyVersion,
    credentialsFile: credentialsFile === undefined ? undefined : resolve(folder, credentialsFile),
    endpoint: endpointOverride?.replace(/\/$/, ''),
    metadataUrl: metadataOverride?.replace(/\/$/, ''),
    timeoutMs: timeout,
  };
  return gcpKmsEntry(`${file} (Google Cloud KMS, ${keyVersion})`, settings, services);
}

function pkcs11ConfigEntry(
  file: string,
  { library, slot, tokenLabel, pinFile, keyLabel, keyId, sessions, timeout }: Pkcs11Config,
  { folder, services }: Pick<ScanParts, 'folder' | 'services'>,
): KeyEntry {
  const name = `${file} (token ${tokenLabel ?? slot}, key ${keyLabel ?? keyId})`;
  const settings = {
    library,
    slot,
    tokenLabel,
    sessions,
    timeoutMs: timeout,
    pinFile: pinFile === undefined ? undefined : resolve(folder, pinFile),
    key: { label: keyLabel, id: keyId },
  };
  return pkcs11Entry(name, settings, services);
}

/** @throws KeyLoadError in the words of web3signer, which takes no empty password here */
function nonEmptyFirstLine(content: string, passwordFile: string): string {
  const password = firstLine(content);
  if (password.trim() === '') throw new KeyLoadError(`Keystore password cannot be empty: ${passwordFile}`);
  return password;
}

function vaultConfigEntry(
  file: string,
  config: HashicorpConfig,
  { folder, vaults }: Pick<ScanParts, 'folder' | 'vaults'>,
): KeyEntry {
  const { serverHost: host, serverPort: port, keyPath: path, keyName, namespace } = config;
  const login = vaultLoginOf(config, folder);
  const { tlsEnabled, tlsKnownServersPath: known, timeout: timeoutMs } = config;
  const trust =
    known === undefined
      ? ({ type: 'SYSTEM' } as const)
      : ({ type: 'KNOWN_SERVERS', file: resolve(folder, known) } as const);
  const settings = {
    host,
    port,
    path,
    keyName,
    login,
    namespace,
    timeoutMs,
    trust: tlsEnabled ? trust : undefined,
  };
  const entry = vaultEntry(`${file} (${host}:${port}${path} ${keyName})`, settings, vaults);
  return tlsEnabled ? entry : { ...entry, caution: WITHOUT_TLS };
}

const WITHOUT_TLS = 'the vault is read without TLS (tlsEnabled): token and key are sent in clear text';
