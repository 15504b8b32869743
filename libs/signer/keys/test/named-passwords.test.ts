import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { VAULT_TOKEN, answerVault, startVaultServer, until, type VaultServer } from '@tetrad/testkit';
import type { KeySourceSettings } from '@tetrad/signer-keys';
import {
  PASSWORD,
  addressesOf,
  createFolder,
  createKeys,
  fileSigner,
  keystoreConfig,
  type KeyFolder,
  type TestKey,
} from './key-folder.js';
import { clearAfterEach, faults, loadKeys } from './open-keys.js';

const KEYS = 12;

let vault: VaultServer;
let folder: KeyFolder;
let keys: readonly TestKey[];
let passwordFile: string;
beforeEach(async () => {
  const elsewhere = await createFolder();
  [vault, folder, keys] = await Promise.all([startVaultServer(), createFolder(), createKeys(KEYS)]);
  vault.secrets.set('desk', { password: PASSWORD });
  await elsewhere.write('token', `${VAULT_TOKEN}\n`);
  passwordFile = await elsewhere.write(
    'password.toml',
    `[secret]\ntype = "vault-secret"\nurl = "http://127.0.0.1:${vault.port}"\nname = "desk"\nmember = "password"\n` +
      'auth-method = "token"\ntoken-file = "token"\n',
  );
  for (const { name, keyFile } of keys) await folder.write(`${name}.json`, keyFile);
});
afterEach(() => vault.stop());
clearAfterEach();

const sources: readonly (readonly [string, () => Promise<KeySourceSettings>])[] = [
  [
    'key stores',
    async () => ({
      kind: 'key-stores',
      directory: folder.path,
      passwordFile,
    }),
  ],
  [
    'signer files',
    async () => {
      for (const { name } of keys)
        await folder.write(`${name}.toml`, fileSigner(`${name}.json`, passwordFile));
      return { kind: 'signer-files', directory: folder.path };
    },
  ],
  [
    'key configurations',
    async () => {
      for (const { name } of keys)
        await folder.write(`${name}.yaml`, keystoreConfig(`${name}.json`, passwordFile));
      return { kind: 'key-configs', directory: folder.path, maxFileBytes: 1_048_576 };
    },
  ],
];

describe('the password of key files in a vault', () => {
  it.each(sources)('opens %s, and is asked for once', async (_what, source) => {
    const opened = await loadKeys([await source()]);
    expect(faults(opened)).toEqual([]);
    expect(opened.keys.list()).toEqual(addressesOf(keys));
    expect(vault.requests).toHaveLength(1);
  });

  it('opens a single key once the vault answers, and nothing of it is said', async () => {
    const [key] = keys as readonly [TestKey];
    vault.fault = (_request, response) => answerVault(response, 503, { errors: [PASSWORD] });
    const source = {
      kind: 'key-file',
      keyFile: `${folder.path}/${key.name}.json`,
      passwordFile,
    } as const;
    const opened = await loadKeys([source], { vaultBackOff: { firstMs: 10, maxMs: 10 } });
    expect(opened.keys.list()).toEqual([]);
    expect(faults(opened)[0]).toMatch(/answered 503/);
    vault.fault = undefined;
    await until(() => opened.keys.list().length === 1);
    expect(JSON.stringify(opened.lines)).not.toMatch(new RegExp(`${PASSWORD}|${VAULT_TOKEN}`));
  });

  it('that is wrong is said as that in a file is', async () => {
    vault.secrets.set('desk', { password: 'another' });
    const source = { kind: 'key-stores', directory: folder.path } as const;
    const opened = await loadKeys([{ ...source, passwordFile }]);
    expect(faults(opened)).toHaveLength(KEYS);
    expect(faults(opened)[0]).toMatch(/Invalid password provided$/);
  });
});
