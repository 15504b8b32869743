export { AddressedKeys } from './addressed-keys.js';
export {
  addressOfFileName,
  isRemoteKeyFile,
  readRemoteKeyFile,
  readRemoteKeySettings,
  type RemoteKeyFile,
} from './key-file/remote-key-file.js';
export {
  PKCS11_SESSIONS,
  REMOTE_KEY_TIMEOUT_MS,
  pkcs11NameProblem,
  type AwsKmsKeySettings,
  type Pkcs11KeySettings,
  type RemoteKeySettings,
} from './key-file/remote-key-settings.js';
export {
  awsKmsSection,
  awsKmsSettingsOf,
  pkcs11Section,
  pkcs11SettingsOf,
} from './key-file/signing-section.js';
export { TomlSectionError, parseTomlSection } from './key-file/toml-section.js';
export type { UnavailableKey } from './key-health.js';
export type { ServiceKey, ServiceLimits } from './key-service.js';
export { RemoteKey, type RemoteKeyOptions } from './remote-key.js';
export { RemoteKeyError, type RemoteKeyFault } from './remote-key-error.js';
export { RemoteServices } from './remote-services.js';
export { ServiceGate } from './service-gate.js';
export { asUnavailable, firstReasons } from './unavailable-keys.js';
export type { Pkcs11KeyName, Pkcs11TokenSettings } from './pkcs11/pkcs11-settings.js';
export { Pkcs11Token } from './pkcs11/pkcs11-token.js';
export {
  AZURE_TOKEN_FILE,
  azureKeyName,
  azureSection,
  azureSettingsOf,
  azureVaultName,
} from './azure/azure-section.js';
export {
  azureVaultUrl,
  type AzureCredentials,
  type AzureKeySettings,
  type AzureVaultSettings,
} from './azure/azure-settings.js';
export { AzureVault } from './azure/azure-vault.js';
export { gcpKeyName, gcpKeyRing, gcpKeyVersion, gcpKmsSection, gcpKmsSettingsOf } from './gcp/gcp-section.js';
export type { GcpKmsKeySettings, GcpKmsSettings } from './gcp/gcp-settings.js';
export { GcpKms } from './gcp/gcp-kms.js';
export { AwsSecrets, type AwsSecretsFilter, type AwsSecretsSettings } from './aws-secrets/aws-secrets.js';
export { AwsKms } from './aws-kms/aws-kms.js';
export type { AwsTagFilter } from './aws-kms/list-signing-keys.js';
export type { AwsKmsSettings } from './aws-kms/aws-kms-settings.js';
export type { VaultAccess } from './vault/vault-access.js';
export { readVaultSecret, type VaultSecret } from './vault/vault-client.js';
export { VaultError } from './vault/vault-error.js';
export {
  checkVaultLogin,
  missingOfLogin,
  vaultLoginMembers,
  vaultLoginOf,
  type VaultLogin,
  type VaultRoleLogin,
} from './vault/vault-login.js';
export { VaultSessions, type VaultRequest } from './vault/vault-sessions.js';
export type { VaultTrust } from './vault/vault-trust.js';
