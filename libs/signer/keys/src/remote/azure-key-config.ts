import { azureKeyName, type AzureKeySettings } from '@tetrad/remote-keys';
import { z } from 'zod';
import { azureVaultMembers, azureVaultSettings, checkAzureCredentials } from './azure-vault-config.js';

/** web3signer's document for a key of Azure Key Vault; `keyVersion` is ours. */
export const azureKeyConfig = z
  .object({
    type: z.literal('azure-key'),
    keyType: z
      .string()
      .transform((type) => type.toUpperCase())
      .pipe(z.literal('SECP256K1', { error: 'must be SECP256K1' }))
      .optional(),
    ...azureVaultMembers,
    keyName: azureKeyName,
    keyVersion: z.string().min(1, 'must not be empty').optional(),
  })
  .superRefine(checkAzureCredentials);

type AzureKeyConfig = z.output<typeof azureKeyConfig>;

/** @param folder - to which its paths are relative */
export function azureKeySettings(config: AzureKeyConfig, folder: string): AzureKeySettings {
  const { keyName, keyVersion } = config;
  return { ...azureVaultSettings(config, folder), keyName, keyVersion };
}
