import { resolve } from 'node:path';
import { readTextFile, type SettingsConversion } from '@tetrad/service';
import { decryptKeyFiles, keyPairFromPrivate } from '@tetrad/transaction-manager';
import { OperatorError } from '@tetrad/types';
import type { VaultKeys } from '../vault-keys.js';
import { convertVaultKey, type ConvertedVaultKey } from './convert-vault-key.js';
import type { TesseraConfig, TesseraKeyData } from './tessera-config.js';

/** A key of the configuration: in a file that stays where it is, in the configuration itself, or in a vault. */
interface FoundKey {
  readonly name: string;
  /** A key file; undefined for a key that cannot be read yet. */
  readonly text: string | undefined;
  /** Of the file that it is in; undefined for a key that gets a file. */
  readonly path: string | undefined;
  /** The file that names a key in a vault. */
  readonly vault?: ConvertedVaultKey;
  readonly password: string;
  readonly publicKey: string | undefined;
}

/**
 * Opens each key with its password, or asks its vault for it, compares it with its public key, and sets the options of the keys.
 * @param folder - against which the paths in the configuration are
 * @param conversion - in which the options are set
 * @param vaults - of keys that are in one
 * @throws OperatorError that names the key
 */
export async function convertKeys(
  { keys }: TesseraConfig,
  folder: string,
  conversion: SettingsConversion,
  vaults: Pick<VaultKeys, 'readText'>,
): Promise<void> {
  const passwords = passwordsOf(keys, folder);
  if (passwords.length > keys.keyData.length)
    throw new OperatorError(`keys: ${passwords.length} passwords for ${keys.keyData.length} keys`);
  const found: FoundKey[] = [];
  for (const [index, data] of keys.keyData.entries()) {
    const name = `keys.keyData.${index}`;
    const vault = convertVaultKey(name, data, { keys, folder });
    const password = passwords[index] ?? '';
    found.push(
      vault === undefined
        ? findKey(name, data, { folder, password })
        : await vaultKey({ name, vault, vaults, folder }),
    );
  }
  await assertPairs(found);
  setKeyFiles(found, conversion);
  convertVaults(found, keys, conversion);
  if (keys.passwords && keys.passwordFile !== undefined)
    conversion.ignore('keys.passwords', 'keys.passwordFile is given, which counts');
  if (!found.some(({ password }) => password !== '')) {
    if (keys.passwords ?? keys.passwordFile) conversion.keep(passwordSetting(keys), 'no key has a password');
    return;
  }
  const text = found.map(({ password }) => `${password}\n`).join('');
  conversion.addFile({ name: 'manager-password', text, isSecret: true });
  const why = 'a line for each key';
  conversion.change(passwordSetting(keys), 'key-password-file', 'manager-password', why);
}

type Keys = TesseraConfig['keys'];

function setKeyFiles(found: readonly FoundKey[], conversion: SettingsConversion): void {
  const paths = found.map(({ path, vault }, index) => {
    if (path !== undefined) return path;
    return vault === undefined ? `key${index}.key` : `key${index}.toml`;
  });
  found.forEach(({ path, text, vault }, index) => {
    const name = paths[index] ?? '';
    if (vault !== undefined) conversion.addFile({ name, text: vault.toml, isSecret: false });
    else if (path === undefined && text !== undefined) conversion.addFile({ name, text, isSecret: true });
  });
  const inline = found.filter(({ path }) => path === undefined).length;
  if (inline === 0) conversion.take('keys.keyData', 'key-files', paths);
  else conversion.change('keys.keyData', 'key-files', paths, `${inline} had no file of their own`);
}

/** How keys in vaults are got from now on. */
function convertVaults(found: readonly FoundKey[], keys: Keys, conversion: SettingsConversion): void {
  const setting = ['keyVaultConfigs', 'azureKeyVaultConfig', 'hashicorpKeyVaultConfig']
    .filter((name) => keys[name] !== undefined)
    .map((name) => `keys.${name}`)
    .join(', ');
  const vaults = found.filter(({ vault }) => vault !== undefined);
  if (vaults.length === 0) {
    if (setting !== '') conversion.ignore(setting, 'no key is in a vault');
    return;
  }
  const text = 'in the files of its keys, with the environment variables that the Tessera has';
  const unread = vaults.filter(({ text: key }) => key === undefined).length;
  const exported =
    'export the certificate of tlsKeyStorePath as vault-client-cert.pem and vault-client-key.pem';
  conversion.keep(
    setting === '' ? 'keys (vaults)' : setting,
    unread === 0 ? text : `${text}; ${exported}: ${unread} of its keys could not be read yet`,
  );
}

/** @throws OperatorError that names the key, when its vault does not give it */
async function vaultKey({
  name,
  vault,
  vaults,
  folder,
}: {
  readonly name: string;
  readonly vault: ConvertedVaultKey;
  readonly vaults: Pick<VaultKeys, 'readText'>;
  readonly folder: string;
}): Promise<FoundKey> {
  const common = { name, vault, path: undefined, password: '' };
  if (!vault.isReadable) return { ...common, text: undefined, publicKey: undefined };
  return { ...common, ...(await vaults.readText(vault.toml, resolve(folder, name))) };
}

function passwordSetting({ passwordFile }: Keys): string {
  return passwordFile === undefined ? 'keys.passwords' : 'keys.passwordFile';
}

function passwordsOf({ passwords, passwordFile }: Keys, folder: string): string[] {
  if (passwordFile === undefined) return [...(passwords ?? [])];
  const text = readTextFile(resolve(folder, passwordFile), 'keys.passwordFile');
  return text.replace(/\r?\n$/, '').split(/\r?\n/);
}

function findKey(
  name: string,
  data: TesseraKeyData,
  { folder, password }: { readonly folder: string; readonly password: string },
): FoundKey {
  const { privateKey, privateKeyPath, publicKeyPath, config } = data;
  const publicKey =
    data.publicKey ??
    (publicKeyPath === undefined
      ? undefined
      : readTextFile(resolve(folder, publicKeyPath), `${name}.publicKeyPath`).trim());
  const common = { name, password, publicKey };
  if (privateKeyPath !== undefined) {
    const path = resolve(folder, privateKeyPath);
    return { ...common, path, text: readTextFile(path, `${name}.privateKeyPath`) };
  }
  if (config !== undefined) return { ...common, path: undefined, text: JSON.stringify(config, null, 2) };
  if (privateKey === undefined)
    throw new OperatorError(`${name}: has no private key, and no vault of a kind that is known`);
  const unlocked = { type: 'unlocked', data: { bytes: privateKey } };
  return { ...common, path: undefined, text: `${JSON.stringify(unlocked, null, 2)}\n` };
}

async function assertPairs(found: readonly FoundKey[]): Promise<void> {
  const readable = found.flatMap(({ text, ...key }) => (text === undefined ? [] : [{ ...key, text }]));
  const files = readable.map(({ name, text, password }) => ({
    name,
    text,
    ...(password === '' ? {} : { password }),
  }));
  const pairs = (await decryptKeyFiles(files)).map(keyPairFromPrivate);
  for (const [index, { privateKey, publicKey }] of pairs.entries()) {
    privateKey.fill(0);
    const { name = '', publicKey: given } = readable[index] ?? {};
    if (given !== undefined && given !== publicKey)
      throw new OperatorError(`${name}: the public key is ${given}, that of the private key ${publicKey}`);
  }
}
