import { resolve } from 'node:path';
import { z } from 'zod';
import { azureVaultUrl, type AzureCredentials, type AzureKeySettings } from './azure-settings.js';

/** Where Kubernetes puts the token of a workload. Source: azure-workload-identity, its webhook */
export const AZURE_TOKEN_FILE = '/var/run/secrets/azure/tokens/azure-identity-token';

const TIMEOUT_MS = 10_000;
const text = z.string().min(1, 'must not be empty');
const url = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

/** The name of a vault of the public cloud. */
export const azureVaultName = z
  .string()
  .regex(/^[0-9a-z-]{3,24}$/i, 'must be the name of a vault: letters, digits and hyphens');
export const azureKeyName = z.string().regex(/^[0-9a-z-]{1,127}$/i, 'must be letters, digits and hyphens');

/** `[signing]` of a TOML file for a key of Azure Key Vault, as EthSigner has it; from `authentication` on it is ours. */
export const azureSection = z
  .object({
    type: z.literal('azure-signer'),
    'key-vault-name': azureVaultName,
    'key-name': azureKeyName,
    'key-version': text.optional(),
    'client-id': text.optional(),
    'client-secret': text.optional(),
    /** In place of `client-secret`; ours. */
    'client-secret-file': text.optional(),
    'tenant-id': text.optional(),
    authentication: z
      .enum(['client-secret', 'workload-identity', 'managed-identity'])
      .default('client-secret'),
    'token-file': text.default(AZURE_TOKEN_FILE),
    endpoint: url.optional(),
    authority: url.optional(),
    timeout: z.int().min(1).max(600_000).default(TIMEOUT_MS),
  })
  .superRefine((section, context) => {
    const { authentication, 'client-secret': secret, 'client-secret-file': file } = section;
    const missing = NEEDED[authentication].find((name) => section[name] === undefined);
    const refuse = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message });
    if (missing !== undefined) return refuse(missing, `is required with authentication ${authentication}`);
    if (authentication !== 'client-secret') return;
    if (secret === undefined && file === undefined)
      refuse('client-secret-file', `or client-secret is required with authentication ${authentication}`);
    if (secret !== undefined && file !== undefined)
      refuse('client-secret-file', 'cannot be given beside client-secret');
  });

const NEEDED = {
  'client-secret': ['client-id', 'tenant-id'],
  'workload-identity': ['client-id', 'tenant-id'],
  'managed-identity': [],
} as const;

/** @param folder - to which its paths are relative */
export function azureSettingsOf(section: z.output<typeof azureSection>, folder: string): AzureKeySettings {
  const { endpoint, authority } = section;
  return {
    vaultUrl: withoutSlash(endpoint ?? azureVaultUrl(section['key-vault-name'])),
    authorityUrl: authority === undefined ? undefined : withoutSlash(authority),
    credentials: credentialsOf(section, folder),
    timeoutMs: section.timeout,
    keyName: section['key-name'],
    keyVersion: section['key-version'],
  };
}

function credentialsOf(section: z.output<typeof azureSection>, folder: string): AzureCredentials {
  const { 'client-id': clientId, 'tenant-id': tenantId = '', 'client-secret': clientSecret = '' } = section;
  switch (section.authentication) {
    case 'client-secret': {
      const file = section['client-secret-file'];
      const who = { tenantId, clientId: clientId ?? '' };
      if (file === undefined) return { mode: 'client-secret', ...who, clientSecret };
      return { mode: 'client-secret-file', ...who, clientSecretFile: resolve(folder, file) };
    }
    case 'workload-identity': {
      const tokenFile = resolve(folder, section['token-file']);
      return { mode: 'workload-identity', tenantId, clientId: clientId ?? '', tokenFile };
    }
    case 'managed-identity':
      return { mode: 'managed-identity', clientId };
  }
}

function withoutSlash(given: string): string {
  return given.endsWith('/') ? given.slice(0, -1) : given;
}
