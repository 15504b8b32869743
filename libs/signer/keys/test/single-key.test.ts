import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { answerVault, startVaultServer, until, VAULT_TOKEN } from '@tetrad/testkit';
import { OperatorError, parseAddress } from '@tetrad/types';
import { PASSWORD, createFolder, createKey } from './key-folder.js';
import { clearAfterEach, loadKeys, openKeys } from './open-keys.js';

clearAfterEach();

/** The key file SP-77 (libs/keystore/vectors/ORIGIN.md); the password is `pass`. */
const PUBLISHED = readFileSync(
  new URL('../../../keystore/vectors/rich-benefactor-one.json', import.meta.url),
  'utf8',
);
const BENEFACTOR = JSON.parse(PUBLISHED) as { readonly crypto: { readonly kdfparams: object } };

async function files(content: string, password: string) {
  const folder = await createFolder();
  const keyFile = await folder.write('key.json', content);
  const passwordFile = await folder.write('password', password);
  return { kind: 'key-file', keyFile, passwordFile } as const;
}

describe('a single key file', () => {
  it('opens as published (SP-77)', async () => {
    const { keys } = await openKeys([await files(PUBLISHED, 'pass')]);
    expect(keys.list()).toEqual(['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73']);
  });

  const changed = (changes: object) => JSON.stringify({ ...BENEFACTOR, ...changes });
  const inside = (changes: object) => changed({ crypto: { ...BENEFACTOR.crypto, ...changes } });
  const pbkdf2 = { c: 1, dklen: 32, prf: 'hmac-sha512', salt: '00' };

  it.each<[string, string, string]>([
    ['another version', changed({ version: 1 }), 'Wallet version is not supported'],
    ['another cipher', inside({ cipher: 'aes-256-gcm' }), 'Wallet cipher is not supported'],
    ['another key derivation', inside({ kdf: 'argon2' }), 'KDF type is not supported'],
    ['another prf', inside({ kdf: 'pbkdf2', kdfparams: pbkdf2 }), 'Unsupported prf:'],
    [
      'another password (SP-21)',
      inside({ kdfparams: { ...BENEFACTOR.crypto.kdfparams, n: 2 } }),
      'Invalid password provided',
    ],
  ])('with %s keeps the process from starting, with the text of web3j', async (_what, content, text) => {
    const source = await files(content, 'pass-of-mine');
    const error: unknown = await openKeys([source]).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(OperatorError);
    const { message } = error as OperatorError;
    expect(message).toBe(
      `Failed to construct a signer from supplied arguments. Cause: Error when decrypting key for the file based signer. ${source.keyFile}: ${text}${text.endsWith(':') ? ' only hmac-sha256' : ''}`,
    );
    expect(message).not.toContain('pass-of-mine');
  });

  it('that cannot be read keeps the process from starting, with the text of EthSigner', async () => {
    const source = await files('{', 'pass');
    const cause = 'Failed to construct a signer from supplied arguments. Cause: ';
    await expect(openKeys([source])).rejects.toThrow(
      `${cause}Error when reading key file for the file based signer. ${source.keyFile}: the file is not JSON`,
    );
    await expect(openKeys([{ ...source, keyFile: '/nowhere' }])).rejects.toThrow(
      `${cause}File not found: /nowhere`,
    );
    await expect(openKeys([{ ...source, passwordFile: '/' }])).rejects.toThrow(
      `${cause}Error when reading the password from file. / (NO_FILE)`,
    );
  });

  it('is loaded again when it changed', async () => {
    const folder = await createFolder();
    const [before, after] = [await createKey(), await createKey()];
    const keyFile = await folder.write('key', before.keyFile);
    const passwordFile = await folder.write('password', PASSWORD);
    const { keys } = await loadKeys([{ kind: 'key-file', keyFile, passwordFile }]);
    await folder.write('key', after.keyFile);
    expect(await keys.reload()).toEqual({ added: [after.address], removed: [before.address], failed: [] });
  });
});

describe('a single key in a vault', () => {
  const tokenLogin = async () => ({
    method: 'token' as const,
    tokenFile: await (await createFolder()).write('token', `${VAULT_TOKEN}\n`),
  });
  const settings = async (port: number) => ({
    kind: 'vault-key' as const,
    host: '127.0.0.1',
    port,
    path: '/v1/secret/data/ethsignerSigningKey',
    keyName: 'value',
    timeoutMs: 60_000,
    login: await tokenLogin(),
    trust: undefined,
  });

  it('is there once the process has started', async () => {
    const vault = await startVaultServer();
    const key = await createKey();
    vault.secrets.set('ethsignerSigningKey', { value: key.hex });
    const { keys } = await openKeys([await settings(vault.port)]);
    expect(keys.list()).toEqual([key.address]);
    await vault.stop();
  });

  it('that the vault refuses keeps the process from starting', async () => {
    const vault = await startVaultServer();
    const source = await settings(vault.port);
    await expect(openKeys([source])).rejects.toThrow('Cause: Vault http://127.0.0.1');
    vault.secrets.set('ethsignerSigningKey', { other: 'text' });
    await expect(openKeys([source])).rejects.toThrow(
      'the member value of the vault’s secret: is missing or not text',
    );
    vault.secrets.set('ethsignerSigningKey', { value: 'secret-of-mine' });
    const error: unknown = await openKeys([source]).catch((e: unknown) => e);
    expect(String(error)).toContain('not a secp256k1 private key');
    expect(String(error)).not.toContain('secret-of-mine');
    await expect(
      openKeys([{ ...source, login: { method: 'token', tokenFile: '/nowhere' } }]),
    ).rejects.toThrow('Error when reading the token from file');
    await vault.stop();
  });

  it('whose vault is silent is waited for, and the process is not ready meanwhile', async () => {
    const vault = await startVaultServer();
    const key = await createKey();
    vault.secrets.set('ethsignerSigningKey', { value: key.hex });
    vault.fault = (_request, response) => answerVault(response, 503, { errors: ['Vault is sealed'] });
    const opened = await loadKeys([await settings(vault.port)], { vaultBackOff: { firstMs: 5, maxMs: 20 } });
    expect(opened.keys.list()).toEqual([]);
    expect(opened.keys.notReady()).toMatch(/^no key: Vault http.*answered 503/);
    vault.fault = undefined;
    await until(() => opened.keys.has(parseAddress(key.address)));
    expect(opened.keys.notReady()).toBeUndefined();
    expect(opened.lines.at(-1)).toMatchObject({ message: 'key loaded', values: { address: key.address } });
    expect(JSON.stringify(opened.lines)).not.toContain(VAULT_TOKEN);
    await vault.stop();
  });
});
