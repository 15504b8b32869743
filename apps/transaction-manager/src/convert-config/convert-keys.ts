import { resolve } from 'node:path';
import { readTextFile, type SettingsConversion } from '@tetrad/service';
import { decryptKeyFiles, keyPairFromPrivate } from '@tetrad/transaction-manager';
import { OperatorError } from '@tetrad/types';
import type { TesseraConfig, TesseraKeyData } from './tessera-config.js';

/** A key of the configuration: in a file that stays where it is, or in the configuration itself. */
interface FoundKey {
  readonly name: string;
  readonly text: string;
  /** Of the file that it is in; undefined for a key in the configuration, which gets a file. */
  readonly path: string | undefined;
  readonly password: string;
  readonly publicKey: string | undefined;
}

/**
 * Opens each key with its password, compares it with its public key, and sets the options of the keys.
 * @param folder - against which the paths in the configuration are
 * @throws OperatorError that names the key
 */
export async function convertKeys(
  { keys }: TesseraConfig,
  folder: string,
  conversion: SettingsConversion,
): Promise<void> {
  const passwords = passwordsOf(keys, folder);
  if (passwords.length > keys.keyData.length)
    throw new OperatorError(`keys: ${passwords.length} passwords for ${keys.keyData.length} keys`);
  const found = keys.keyData.map((data, index) =>
    findKey(`keys.keyData.${index}`, data, { folder, password: passwords[index] ?? '' }),
  );
  await assertPairs(found);
  found.forEach(({ path, text }, index) => {
    if (path === undefined) conversion.addFile({ name: `key${index}.key`, text, isSecret: true });
  });
  const paths = found.map(({ path }, index) => path ?? `key${index}.key`);
  const inline = found.filter(({ path }) => path === undefined).length;
  if (inline === 0) conversion.take('keys.keyData', 'key-files', paths);
  else conversion.change('keys.keyData', 'key-files', paths, `${inline} had no file of their own`);
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
    throw new OperatorError(
      `${name}: has no private key; one in a key vault has to be exported to a file first`,
    );
  const unlocked = { type: 'unlocked', data: { bytes: privateKey } };
  return { ...common, path: undefined, text: `${JSON.stringify(unlocked, null, 2)}\n` };
}

async function assertPairs(found: readonly FoundKey[]): Promise<void> {
  const files = found.map(({ name, text, password }) => ({
    name,
    text,
    ...(password === '' ? {} : { password }),
  }));
  const pairs = (await decryptKeyFiles(files)).map(keyPairFromPrivate);
  for (const [index, { privateKey, publicKey }] of pairs.entries()) {
    privateKey.fill(0);
    const { name = '', publicKey: given } = found[index] ?? {};
    if (given !== undefined && given !== publicKey)
      throw new OperatorError(`${name}: the public key is ${given}, that of the private key ${publicKey}`);
  }
}
