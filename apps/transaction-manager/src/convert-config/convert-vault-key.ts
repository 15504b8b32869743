import { resolve } from 'node:path';
import { tomlOf } from '@tetrad/service';
import { OperatorError } from '@tetrad/types';
import type { TesseraConfig, TesseraKeyData, TesseraVault } from './tessera-config.js';

/** A key in a vault, as a file of ours names it. */
export interface ConvertedVaultKey {
  /** Content of the file. */
  readonly toml: string;
  /** Whether it can be read already: the certificate of this client has to be exported first where it is in a key store. */
  readonly isReadable: boolean;
}

type Keys = TesseraConfig['keys'];
type Lines = Readonly<Record<string, string | number | undefined>>;

/**
 * The file for a key that is in a vault. It logs in with the environment variables that the Tessera has.
 *
 * @param name - of the key, for errors
 * @param folder - against which the paths in the configuration are
 * @returns undefined for a key that is elsewhere
 * @throws OperatorError that names the key
 */
export function convertVaultKey(
  name: string,
  data: TesseraKeyData,
  { keys, folder }: { readonly keys: Keys; readonly folder: string },
): ConvertedVaultKey | undefined {
  if (data.azureVaultPrivateKeyId !== undefined) return azureKey(data, vaultOf('AZURE', keys, name), name);
  if (data.hashicorpVaultPrivateKeyId !== undefined)
    return hashicorpKey(data, { ...vaultOf('HASHICORP', keys, name), name, folder });
  if (data.awsSecretsManagerPrivateKeyId !== undefined) return awsKey(data, vaultOf('AWS', keys, name));
  return undefined;
}

/** The settings of a kind of vault; those of older versions have members of their own. */
function vaultOf(kind: 'AZURE' | 'HASHICORP' | 'AWS', keys: Keys, name: string): TesseraVault {
  const listed = keys.keyVaultConfigs?.find(
    ({ keyVaultType, keyVaultConfigType }) => (keyVaultType ?? keyVaultConfigType)?.toUpperCase() === kind,
  );
  const older: Readonly<Record<typeof kind, TesseraVault | undefined>> = {
    AZURE: keys.azureKeyVaultConfig,
    HASHICORP: keys.hashicorpKeyVaultConfig,
    AWS: {},
  };
  const found = listed === undefined ? older[kind] : (listed.properties ?? {});
  if (found === undefined)
    throw new OperatorError(`${name}: keys.keyVaultConfigs has no vault of type ${kind}`);
  if (kind !== 'AWS' && found.url === undefined)
    throw new OperatorError(`${name}: the vault of type ${kind} has no url`);
  return found;
}

function azureKey(data: TesseraKeyData, { url }: TesseraVault, name: string): ConvertedVaultKey {
  const lines = {
    type: 'azure-secret',
    'vault-url': url,
    name: data.azureVaultPrivateKeyId,
    version: data.azureVaultPrivateKeyVersion,
    'public-name': data.azureVaultPublicKeyId,
    'public-version': data.azureVaultPublicKeyVersion,
    authentication: 'environment',
  };
  if (data.azureVaultPublicKeyId === undefined)
    throw new OperatorError(`${name}: azureVaultPublicKeyId is missing`);
  return { toml: sectionOf(lines), isReadable: true };
}

function hashicorpKey(
  data: TesseraKeyData,
  { name, folder, ...vault }: TesseraVault & { readonly name: string; readonly folder: string },
): ConvertedVaultKey {
  const { hashicorpVaultSecretEngineName: mount, hashicorpVaultSecretName: secret } = data;
  if (mount === undefined || secret === undefined)
    throw new OperatorError(
      `${name}: hashicorpVaultSecretEngineName and hashicorpVaultSecretName are required`,
    );
  const { tlsTrustStorePath: trust, tlsKeyStorePath: own } = vault;
  // To Tessera 0 is the newest version.
  const version = data.hashicorpVaultSecretVersion === 0 ? undefined : data.hashicorpVaultSecretVersion;
  const lines = {
    type: 'vault-secret',
    url: vault.url,
    mount,
    name: secret,
    version,
    member: data.hashicorpVaultPrivateKeyId,
    'public-member': data.hashicorpVaultPublicKeyId,
    'auth-method': 'environment',
    'auth-mount': vault.approlePath,
    'trust-store': trust === undefined ? undefined : resolve(folder, trust),
    'trust-store-type': trust === undefined ? undefined : 'JKS',
    'client-cert-file': own === undefined ? undefined : 'vault-client-cert.pem',
    'client-key-file': own === undefined ? undefined : 'vault-client-key.pem',
  };
  return { toml: sectionOf(lines), isReadable: own === undefined };
}

function awsKey(data: TesseraKeyData, { endpoint }: TesseraVault): ConvertedVaultKey {
  const lines = {
    type: 'aws-secret',
    endpoint,
    'secret-id': data.awsSecretsManagerPrivateKeyId,
    'public-secret-id': data.awsSecretsManagerPublicKeyId,
  };
  return { toml: sectionOf(lines), isReadable: true };
}

function sectionOf(lines: Lines): string {
  const text = Object.entries(lines).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key} = ${tomlOf(value)}`],
  );
  return `[secret]\n${text.join('\n')}\n`;
}
