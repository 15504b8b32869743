import { missingOfLogin, vaultLoginOf, type VaultTrust } from '@tetrad/remote-keys';
import type { KeySourceSettings, SingleVaultKey } from '@tetrad/signer-keys';
import { flagOf, type ConfigOf } from '@tetrad/service';
import { OperatorError } from '@tetrad/types';
import { awsKmsKeys, awsSecretKeys, azureKeys } from './cloud-key-sources.js';
import type { keyOptions } from './options/key-options.js';
import type { Emulation } from './emulation.js';

/** The options that say where keys come from. */
export type KeysConfig = ConfigOf<typeof keyOptions>;

/**
 * Where the options say that keys come from, or where they are looked for when the options say nothing.
 * @throws OperatorError when they say nothing, or half of something
 */
export function keySources(
  config: KeysConfig,
  { defaultKeyConfigPath }: Pick<Emulation, 'defaultKeyConfigPath'> = {},
): readonly KeySourceSettings[] {
  const sources = [
    ...keyFile(config),
    ...(config.multikeySignerDirectory === undefined
      ? []
      : [{ kind: 'signer-files' as const, directory: config.multikeySignerDirectory }]),
    ...keyConfigs(config),
    ...keyStores(config),
    ...rawKey(config),
    ...vaultKey(config),
    ...pkcs11Key(config),
    ...awsKmsKeys(config),
    ...awsSecretKeys(config),
    ...azureKeys(config),
  ];
  if (sources.length > 0) return sources;
  if (defaultKeyConfigPath !== undefined)
    return keyConfigs({ ...config, keyConfigPath: defaultKeyConfigPath });
  throw new OperatorError(
    'Missing required subcommand: file-based-signer, multikey-signer, hashicorp-signer or raw-signer must say where keys come from (or --key-file, --multikey-signer-directory, --key-config-path, --keystores-path, --hashicorp-signer-auth-file, --pkcs11-library, --aws-kms-enabled, --aws-secrets-enabled, --azure-vault-enabled, --raw-signer-key-file)',
  );
}

function keyFile({ keyFile: file, passwordFile }: KeysConfig): KeySourceSettings[] {
  if (file === undefined && passwordFile === undefined) return [];
  if (file === undefined)
    throw new OperatorError('Missing required option(s): --key-file with --password-file');
  if (passwordFile === undefined)
    throw new OperatorError('Missing required option(s): --password-file with --key-file');
  return [{ kind: 'key-file', keyFile: file, passwordFile }];
}

function keyConfigs(config: KeysConfig): KeySourceSettings[] {
  const { keyConfigPath: directory, keyStoreConfigFileMaxSize: maxFileBytes } = config;
  return directory === undefined ? [] : [{ kind: 'key-configs', directory, maxFileBytes }];
}

function keyStores(config: KeysConfig): KeySourceSettings[] {
  const { keystoresPath: directory, keystoresPasswordFile, keystoresPasswordsPath } = config;
  const isOne = (keystoresPasswordFile === undefined) !== (keystoresPasswordsPath === undefined);
  if (directory === undefined) {
    if (keystoresPasswordFile === undefined && keystoresPasswordsPath === undefined) return [];
    throw new OperatorError('Missing required option(s): --keystores-path with the passwords of its files');
  }
  if (!isOne) {
    throw new OperatorError(
      '--keystores-path needs exactly one of --keystores-password-file and --keystores-passwords-path',
    );
  }
  if (keystoresPasswordFile !== undefined)
    return [{ kind: 'key-stores', directory, passwordFile: keystoresPasswordFile }];
  return [{ kind: 'key-stores', directory, passwordsDirectory: keystoresPasswordsPath ?? '' }];
}

function rawKey({ rawSignerKeyFile: file }: KeysConfig): KeySourceSettings[] {
  return file === undefined ? [] : [{ kind: 'raw-key', keyFile: file }];
}

function vaultKey(config: KeysConfig): KeySourceSettings[] {
  const login = vaultLogin(config);
  if (login === undefined) return [];
  const { hashicorpSignerTlsKnownServerFile: known } = config;
  const authority: VaultTrust =
    known === undefined ? { type: 'SYSTEM' } : { type: 'KNOWN_SERVERS', file: known };
  return [
    {
      kind: 'vault-key',
      host: config.hashicorpSignerHost,
      port: config.hashicorpSignerPort,
      path: config.hashicorpSignerSigningKeyPath,
      keyName: 'value',
      timeoutMs: config.hashicorpSignerTimeout,
      namespace: config.hashicorpSignerNamespace,
      login,
      trust: config.hashicorpSignerTlsEnabled ? authority : undefined,
    },
  ];
}

/**
 * @returns undefined when no key of a vault is asked for
 * @throws OperatorError
 */
function vaultLogin(config: KeysConfig): SingleVaultKey['login'] | undefined {
  const { hashicorpSignerAuthMethod: authMethod, hashicorpSignerAuthFile: tokenFile } = config;
  if (authMethod === 'token') return tokenFile === undefined ? undefined : { method: authMethod, tokenFile };
  const members = {
    authMethod,
    authMount: config.hashicorpSignerAuthMount,
    role: config.hashicorpSignerRole,
    roleId: config.hashicorpSignerRoleId,
    secretIdFile: config.hashicorpSignerSecretIdFile,
    jwtFile: config.hashicorpSignerJwtFile,
  };
  const missing = missingOfLogin(members);
  if (missing !== undefined) {
    const flag = flagOf(`hashicorpSigner${missing[0]?.toUpperCase()}${missing.slice(1)}`);
    throw new OperatorError(
      `Missing required option(s): ${flag} with --hashicorp-signer-auth-method ${authMethod}`,
    );
  }
  const login = vaultLoginOf(members, '.');
  return login.method === 'token' ? undefined : login;
}

function pkcs11Key(config: KeysConfig): KeySourceSettings[] {
  const { pkcs11Library: library, pkcs11Slot: slot, pkcs11TokenLabel: tokenLabel } = config;
  const { pkcs11KeyLabel: label, pkcs11KeyId: id, pkcs11PinFile: pinFile } = config;
  const given = { slot, tokenLabel, label, id, pinFile };
  if (library === undefined) {
    if (Object.values(given).every((value) => value === undefined)) return [];
    throw new OperatorError('Missing required option(s): --pkcs11-library with the token and the key in it');
  }
  if (slot === undefined && tokenLabel === undefined)
    throw new OperatorError('Missing required option(s): --pkcs11-token-label or --pkcs11-slot');
  if (label === undefined && id === undefined)
    throw new OperatorError('Missing required option(s): --pkcs11-key-label or --pkcs11-key-id');
  const { pkcs11Sessions: sessions, pkcs11Timeout: timeoutMs } = config;
  return [
    { kind: 'pkcs11-key', library, slot, tokenLabel, pinFile, sessions, timeoutMs, key: { label, id } },
  ];
}
