import { z } from 'zod';
import { AZURE_TOKEN_FILE, azureKeyName } from '../azure/azure-section.js';
import { REMOTE_KEY_TIMEOUT_MS } from '../key-file/remote-key-settings.js';

const text = z.string().min(1, 'must not be empty');
const url = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
const timeout = z.int().min(1).max(600_000).default(REMOTE_KEY_TIMEOUT_MS);

/** `[secret]` of a TOML file for a secret of AWS Secrets Manager; credentials are found by the SDK. */
const awsSecretSection = z.object({
  type: z.literal('aws-secret'),
  region: text.optional(),
  endpoint: url.optional(),
  'secret-id': text,
  'public-secret-id': text.optional(),
  member: text.optional(),
  timeout,
});

/** `[secret]` of a TOML file for a secret of Azure Key Vault. */
const azureSecretSection = z.object({
  type: z.literal('azure-secret'),
  'vault-url': url,
  name: azureKeyName,
  version: text.optional(),
  'public-name': azureKeyName.optional(),
  'public-version': text.optional(),
  member: text.optional(),
  authentication: z
    .enum(['client-secret', 'workload-identity', 'managed-identity', 'environment'])
    .default('environment'),
  'client-id': text.optional(),
  'tenant-id': text.optional(),
  'client-secret-file': text.optional(),
  'token-file': text.default(AZURE_TOKEN_FILE),
  authority: url.optional(),
  timeout,
});

/** `[secret]` of a TOML file for a member of a secret of HashiCorp Vault, KV version 2. */
const vaultSecretSection = z.object({
  type: z.literal('vault-secret'),
  url,
  mount: text.default('secret'),
  name: text,
  version: z.int().min(1).optional(),
  member: text.default('value'),
  'public-member': text.optional(),
  namespace: text.optional(),
  'auth-method': z.enum(['token', 'approle', 'kubernetes', 'jwt', 'environment']).default('environment'),
  'auth-mount': text.optional(),
  'token-file': text.optional(),
  role: text.optional(),
  'role-id': text.optional(),
  'secret-id-file': text.optional(),
  'jwt-file': text.optional(),
  'trust-store': text.optional(),
  'trust-store-type': z.enum(['PEM', 'JKS', 'PKCS12', 'KNOWN_SERVERS']).default('PEM'),
  'trust-store-password-file': text.optional(),
  'client-cert-file': text.optional(),
  'client-key-file': text.optional(),
  timeout,
});

export const secretSections = z.discriminatedUnion('type', [
  awsSecretSection,
  azureSecretSection,
  vaultSecretSection,
]);

export type AwsSecretSection = z.output<typeof awsSecretSection>;
export type AzureSecretSection = z.output<typeof azureSecretSection>;
export type VaultSecretSection = z.output<typeof vaultSecretSection>;
