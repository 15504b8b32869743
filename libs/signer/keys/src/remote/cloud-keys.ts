import {
  REMOTE_KEY_TIMEOUT_MS,
  type AwsKmsSettings,
  type AwsTagFilter,
  type AzureVaultSettings,
} from '@tetrad/remote-keys';
import type { KeySource } from '../key-entry.js';
import type { KeySourceParts } from '../key-source-parts.js';
import { awsKmsEntry } from './aws-kms-entry.js';
import { azureKeyEntry } from './azure-key-entry.js';
import { ListedKeys } from './listed-keys.js';

/** All keys of an account and region of AWS that sign transactions. */
export interface AwsKmsKeys extends Omit<AwsKmsSettings, 'timeoutMs'> {
  readonly filter: AwsTagFilter;
}

/** All keys of a vault of Azure. */
export interface AzureKeys extends AzureVaultSettings {
  /** Each of them must be one of the key's. */
  readonly tags: Readonly<Record<string, string>>;
}

/** web3signer's `--aws-kms-enabled`. */
export function awsKmsKeys(
  { filter, region, endpoint, credentials }: AwsKmsKeys,
  parts: KeySourceParts,
): KeySource {
  const settings = { region, endpoint, credentials, timeoutMs: REMOTE_KEY_TIMEOUT_MS };
  const id = `AWS KMS ${endpoint ?? region ?? 'of the environment'}`;
  const list = async (signal: AbortSignal) => {
    const ids = await parts.services.awsKms(settings).service.list(filter, signal);
    return ids.map((keyId) => awsKmsEntry(`${id}, key ${keyId}`, { ...settings, keyId }, parts.services));
  };
  return new ListedKeys({ id, check: 'keys-check/aws-bulk-loading', list }, parts.clock);
}

/** web3signer's `--azure-vault-enabled`. */
export function azureKeys(
  { tags, vaultUrl, credentials, authorityUrl, timeoutMs }: AzureKeys,
  parts: KeySourceParts,
): KeySource {
  const vault = { vaultUrl, credentials, authorityUrl, timeoutMs };
  const id = `Azure Key Vault ${vaultUrl}`;
  const list = async (signal: AbortSignal) => {
    const names = await parts.services.azureVault(vault).service.list(tags, signal);
    return names.map((keyName) =>
      azureKeyEntry(`${id}, key ${keyName}`, { ...vault, keyName }, parts.services),
    );
  };
  return new ListedKeys({ id, check: 'keys-check/azure-bulk-loading', list }, parts.clock);
}
