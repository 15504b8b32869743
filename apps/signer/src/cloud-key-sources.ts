import {
  AZURE_TOKEN_FILE,
  azureVaultName,
  azureVaultUrl,
  type AwsKmsSettings,
  type AzureCredentials,
  type AzureVaultSettings,
} from '@tetrad/remote-keys';
import { flagOf, type ConfigOf } from '@tetrad/service';
import type { KeySourceSettings } from '@tetrad/signer-keys';
import { OperatorError } from '@tetrad/types';
import type { azureVaultOptions, cloudKeyOptions } from './options/cloud-key-options.js';

type CloudKeysConfig = ConfigOf<typeof cloudKeyOptions>;
type AzureVaultConfig = ConfigOf<typeof azureVaultOptions>;

/** @throws OperatorError when an option is missing */
export function awsKmsKeys(config: CloudKeysConfig): KeySourceSettings[] {
  if (!config.awsKmsEnabled) return [];
  const { awsKmsRegion: region, awsEndpointOverride: endpoint } = config;
  const credentials = awsCredentials(config, 'awsKms');
  if (credentials !== undefined && region === undefined) throw missing('awsKmsRegion', 'an access key');
  return [
    {
      kind: 'aws-kms-keys',
      region,
      credentials,
      endpoint: endpoint === undefined ? undefined : withoutSlash(endpoint),
      filter: { names: config.awsKmsTagNamesFilter, values: config.awsKmsTagValuesFilter },
    },
  ];
}

/** @throws OperatorError when an option is missing */
export function awsSecretKeys(config: CloudKeysConfig): KeySourceSettings[] {
  if (!config.awsSecretsEnabled) return [];
  const { awsSecretsRegion: region, awsEndpointOverride: endpoint } = config;
  const credentials = awsCredentials(config, 'awsSecrets');
  if (credentials !== undefined && region === undefined) throw missing('awsSecretsRegion', 'an access key');
  return [
    {
      kind: 'aws-secret-keys',
      region,
      credentials,
      endpoint: endpoint === undefined ? undefined : withoutSlash(endpoint),
      filter: {
        prefixes: config.awsSecretsPrefixesFilter,
        tagNames: config.awsSecretsTagNamesFilter,
        tagValues: config.awsSecretsTagValuesFilter,
      },
    },
  ];
}

function awsCredentials(
  config: CloudKeysConfig,
  family: 'awsKms' | 'awsSecrets',
): AwsKmsSettings['credentials'] {
  const [idKey, secretKey] = [`${family}AccessKeyId`, `${family}SecretAccessKeyFile`] as const;
  const { [idKey]: accessKeyId, [secretKey]: secret } = config;
  const modeKey = `${family}AuthMode` as const;
  const mode = config[modeKey] ?? (accessKeyId === undefined ? 'ENVIRONMENT' : 'SPECIFIED');
  if (mode === 'ENVIRONMENT') return undefined;
  if (accessKeyId === undefined) throw missing(idKey, `${flagOf(modeKey)} SPECIFIED`);
  if (secret === undefined) throw missing(secretKey, flagOf(idKey));
  return { accessKeyId, secretAccessKey: secret.reveal().trim() };
}

/** @throws OperatorError when an option is missing, or one is not of its form */
export function azureKeys(config: CloudKeysConfig): KeySourceSettings[] {
  if (!config.azureVaultEnabled) return [];
  const vault = azureVaultOf(config, '--azure-vault-enabled');
  return [{ kind: 'azure-keys', ...vault, tags: azureTags(config.azureTags) }];
}

/**
 * The vault that the options name.
 *
 * @param by - the option that needs it, for errors
 * @throws OperatorError when an option is missing, or one is not of its form
 */
export function azureVaultOf(config: AzureVaultConfig, by: string): AzureVaultSettings {
  const { azureAuthorityOverride: authority, azureTimeout: timeoutMs } = config;
  return {
    vaultUrl: azureUrl(config, by),
    authorityUrl: authority === undefined ? undefined : withoutSlash(authority),
    credentials: azureCredentials(config),
    timeoutMs,
  };
}

function azureUrl(
  { azureEndpointOverride: url, azureVaultName: name }: AzureVaultConfig,
  by: string,
): string {
  if (url !== undefined) return withoutSlash(url);
  if (name === undefined) throw missing('azureVaultName', by);
  const parsed = azureVaultName.safeParse(name);
  if (parsed.success) return azureVaultUrl(parsed.data);
  throw new OperatorError(`--azure-vault-name: ${parsed.error.issues[0]?.message ?? 'is not valid'}`);
}

function azureCredentials(config: AzureVaultConfig): AzureCredentials {
  const { azureVaultAuthMode: mode, azureClientId: clientId, azureTenantId: tenantId } = config;
  const needed = `--azure-vault-auth-mode ${mode}`;
  if (mode === 'SYSTEM_ASSIGNED_MANAGED_IDENTITY') return { mode: 'managed-identity' };
  if (clientId === undefined) throw missing('azureClientId', needed);
  if (mode === 'USER_ASSIGNED_MANAGED_IDENTITY') return { mode: 'managed-identity', clientId };
  if (tenantId === undefined) throw missing('azureTenantId', needed);
  if (mode === 'WORKLOAD_IDENTITY') {
    const tokenFile = config.azureFederatedTokenFile ?? AZURE_TOKEN_FILE;
    return { mode: 'workload-identity', tenantId, clientId, tokenFile };
  }
  const { azureClientSecretFile: secret } = config;
  if (secret === undefined) throw missing('azureClientSecretFile', needed);
  return { mode: 'client-secret', tenantId, clientId, clientSecret: secret.reveal().trim() };
}

function azureTags(given: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    given.map((tag) => {
      const at = tag.indexOf('=');
      if (at < 1) throw new OperatorError(`--azure-tags: ${tag} is not NAME=VALUE`);
      return [tag.slice(0, at), tag.slice(at + 1)];
    }),
  );
}

function missing(key: keyof CloudKeysConfig, by: string): OperatorError {
  return new OperatorError(`Missing required option(s): ${flagOf(key)} with ${by}`);
}

function withoutSlash({ href }: URL): string {
  return href.endsWith('/') ? href.slice(0, -1) : href;
}
