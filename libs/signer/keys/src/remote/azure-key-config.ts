import { resolve } from 'node:path';
import {
  AZURE_TOKEN_FILE,
  azureKeyName,
  azureVaultName,
  azureVaultUrl,
  type AzureCredentials,
  type AzureKeySettings,
} from '@tetrad/remote-keys';
import { z } from 'zod';

const MODES = [
  'CLIENT_SECRET',
  'SYSTEM_ASSIGNED_MANAGED_IDENTITY',
  'USER_ASSIGNED_MANAGED_IDENTITY',
  'WORKLOAD_IDENTITY',
] as const;
const SECONDS = 'must be a whole number of seconds from 1 to 600';
const text = z.string().min(1, 'must not be empty');
const url = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

/** web3signer's document for a key of Azure Key Vault; from `authenticationMode` on its members are ours. */
export const azureKeyConfig = z
  .object({
    type: z.literal('azure-key'),
    keyType: z
      .string()
      .transform((type) => type.toUpperCase())
      .pipe(z.literal('SECP256K1', { error: 'must be SECP256K1' }))
      .optional(),
    clientId: text.optional(),
    clientSecret: text.optional(),
    tenantId: text.optional(),
    vaultName: azureVaultName,
    keyName: azureKeyName,
    timeout: z
      .string()
      .regex(/^\d{1,3}$/, { error: SECONDS, abort: true })
      .transform(Number)
      .pipe(z.int().min(1, SECONDS).max(600, SECONDS))
      .default(60),
    /** web3signer has it for secrets alone. */
    authenticationMode: z.enum(MODES, `must be one of ${MODES.join(', ')}`).default('CLIENT_SECRET'),
    keyVersion: text.optional(),
    federatedTokenFile: text.default(AZURE_TOKEN_FILE),
    endpointOverride: url.optional(),
    authorityOverride: url.optional(),
  })
  .superRefine((config, context) => {
    const missing = NEEDED[config.authenticationMode].find((name) => config[name] === undefined);
    if (missing === undefined) return;
    const message = `is required with authenticationMode ${config.authenticationMode}`;
    context.addIssue({ code: 'custom', path: [missing], message });
  });

const NEEDED = {
  CLIENT_SECRET: ['clientId', 'tenantId', 'clientSecret'],
  SYSTEM_ASSIGNED_MANAGED_IDENTITY: [],
  USER_ASSIGNED_MANAGED_IDENTITY: ['clientId'],
  WORKLOAD_IDENTITY: ['clientId', 'tenantId'],
} as const;

export type AzureKeyConfig = z.output<typeof azureKeyConfig>;

/** In: folder — to which its paths are relative */
export function azureKeySettings(config: AzureKeyConfig, folder: string): AzureKeySettings {
  const { vaultName, keyName, keyVersion, timeout, endpointOverride, authorityOverride } = config;
  return {
    vaultUrl: endpointOverride ?? azureVaultUrl(vaultName),
    authorityUrl: authorityOverride,
    credentials: credentialsOf(config, folder),
    timeoutMs: timeout * 1_000,
    ...{ keyName, keyVersion },
  };
}

function credentialsOf(config: AzureKeyConfig, folder: string): AzureCredentials {
  const { clientId = '', tenantId = '', clientSecret = '' } = config;
  switch (config.authenticationMode) {
    case 'CLIENT_SECRET':
      return { mode: 'client-secret', tenantId, clientId, clientSecret };
    case 'WORKLOAD_IDENTITY': {
      const tokenFile = resolve(folder, config.federatedTokenFile);
      return { mode: 'workload-identity', tenantId, clientId, tokenFile };
    }
    case 'USER_ASSIGNED_MANAGED_IDENTITY':
      return { mode: 'managed-identity', clientId };
    case 'SYSTEM_ASSIGNED_MANAGED_IDENTITY':
      return { mode: 'managed-identity' };
  }
}
