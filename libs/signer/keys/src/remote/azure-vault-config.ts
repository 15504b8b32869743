import { resolve } from 'node:path';
import {
  AZURE_TOKEN_FILE,
  azureVaultName,
  azureVaultUrl,
  type AzureCredentials,
  type AzureVaultSettings,
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

/** How web3signer's documents name a vault of Azure; `clientSecretFile`, those from `federatedTokenFile` on, and `WORKLOAD_IDENTITY` are ours. */
export const azureVaultMembers = {
  clientId: text.optional(),
  clientSecret: text.optional(),
  /** In place of `clientSecret`. */
  clientSecretFile: text.optional(),
  tenantId: text.optional(),
  vaultName: azureVaultName,
  timeout: z
    .string()
    .regex(/^\d{1,3}$/, { error: SECONDS, abort: true })
    .transform(Number)
    .pipe(z.int().min(1, SECONDS).max(600, SECONDS))
    .default(60),
  /** web3signer has it for secrets alone. */
  authenticationMode: z.enum(MODES, `must be one of ${MODES.join(', ')}`).default('CLIENT_SECRET'),
  federatedTokenFile: text.default(AZURE_TOKEN_FILE),
  endpointOverride: url.optional(),
  authorityOverride: url.optional(),
};

type AzureVaultConfig = z.output<z.ZodObject<typeof azureVaultMembers>>;

const NEEDED = {
  CLIENT_SECRET: ['clientId', 'tenantId'],
  SYSTEM_ASSIGNED_MANAGED_IDENTITY: [],
  USER_ASSIGNED_MANAGED_IDENTITY: ['clientId'],
  WORKLOAD_IDENTITY: ['clientId', 'tenantId'],
} as const;

/** For `superRefine`. */
export function checkAzureCredentials(config: AzureVaultConfig, context: z.RefinementCtx): void {
  const { authenticationMode: mode, clientSecret, clientSecretFile } = config;
  const missing = NEEDED[mode].find((name) => config[name] === undefined);
  const refuse = (name: string, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message });
  if (missing !== undefined) return refuse(missing, `is required with authenticationMode ${mode}`);
  if (mode !== 'CLIENT_SECRET') return;
  if (clientSecret === undefined && clientSecretFile === undefined)
    refuse('clientSecret', `or clientSecretFile is required with authenticationMode ${mode}`);
  if (clientSecret !== undefined && clientSecretFile !== undefined)
    refuse('clientSecretFile', 'cannot be given beside clientSecret');
}

/**
 * @param config - that `checkAzureCredentials` takes
 * @param folder - to which its paths are relative
 */
export function azureVaultSettings(config: AzureVaultConfig, folder: string): AzureVaultSettings {
  const { vaultName, timeout, endpointOverride, authorityOverride } = config;
  return {
    vaultUrl: endpointOverride ?? azureVaultUrl(vaultName),
    authorityUrl: authorityOverride,
    credentials: credentialsOf(config, folder),
    timeoutMs: timeout * 1_000,
  };
}

function credentialsOf(config: AzureVaultConfig, folder: string): AzureCredentials {
  const { clientId = '', tenantId = '', clientSecret = '' } = config;
  switch (config.authenticationMode) {
    case 'CLIENT_SECRET': {
      const { clientSecretFile: file } = config;
      if (file === undefined) return { mode: 'client-secret', tenantId, clientId, clientSecret };
      return { mode: 'client-secret-file', tenantId, clientId, clientSecretFile: resolve(folder, file) };
    }
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
