import type { Pkcs11KeySettings } from '@tetrad/remote-keys';
import type { KeySource } from './key-entry.js';
import { keyConfigFolder, type KeyConfigFolder } from './key-config-folder.js';
import type { KeyFilePaths } from './key-file-entry.js';
import { keyStoreFolder, type KeyStorePasswords } from './key-store-folder.js';
import { awsKmsKeys, azureKeys, type AwsKmsKeys, type AzureKeys } from './remote/cloud-keys.js';
import { awsSecretKeys, type AwsSecretKeys } from './remote/aws-secrets.js';
import { pkcs11Key } from './remote/single-remote-key.js';
import { signerFileFolder } from './signer-file-folder.js';
import type { KeySourceParts } from './key-source-parts.js';
import { singleKeyFile, singleRawKey, singleVaultKey, type SingleVaultKey } from './single-key.js';

/** Where keys come from, as an operator says it; everything in it is a path or a setting, but for credentials of clouds. */
export type KeySourceSettings =
  | ({ readonly kind: 'key-file' } & KeyFilePaths)
  /** A private key in hex, for development. */
  | { readonly kind: 'raw-key'; readonly keyFile: string }
  | { readonly kind: 'signer-files'; readonly directory: string }
  | ({ readonly kind: 'key-configs' } & KeyConfigFolder)
  | ({ readonly kind: 'key-stores'; readonly directory: string } & KeyStorePasswords)
  | ({ readonly kind: 'vault-key' } & SingleVaultKey)
  | ({ readonly kind: 'pkcs11-key' } & Pkcs11KeySettings)
  | ({ readonly kind: 'aws-kms-keys' } & AwsKmsKeys)
  | ({ readonly kind: 'aws-secret-keys' } & AwsSecretKeys)
  | ({ readonly kind: 'azure-keys' } & AzureKeys);

export function createKeySource(settings: KeySourceSettings, parts: KeySourceParts): KeySource {
  const { services, vaults } = parts;
  switch (settings.kind) {
    case 'key-file':
      return singleKeyFile(settings, parts);
    case 'raw-key':
      return singleRawKey(settings.keyFile);
    case 'signer-files':
      return signerFileFolder(settings.directory, parts);
    case 'key-configs':
      return keyConfigFolder(settings, parts);
    case 'key-stores':
      return keyStoreFolder(settings.directory, settings, parts);
    case 'vault-key':
      return singleVaultKey(settings, vaults);
    case 'pkcs11-key':
      return pkcs11Key(settings, services);
    case 'aws-kms-keys':
      return awsKmsKeys(settings, parts);
    case 'aws-secret-keys':
      return awsSecretKeys(settings, parts);
    case 'azure-keys':
      return azureKeys(settings, parts);
  }
}
