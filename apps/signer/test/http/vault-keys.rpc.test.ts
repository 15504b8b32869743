import { describe, expect, it } from '@jest/globals';
import { verifyMessage } from 'ethers/hash';
import {
  answerVault,
  startVaultServer,
  until,
  VAULT_TOKEN,
  vaultPlaceOf,
  type VaultServer,
} from '@tetrad/testkit';
import {
  createFolder,
  createKey,
  vaultSigner,
  type KeyFolder,
} from '../../../../libs/signer/keys/test/key-folder.js';
import { addressesOf, useStartedKeys } from '../started-keys.js';

const SECRET = 'not-to-be-shown';

const keys = useStartedKeys();

/** Settings of a signer file for the secret `one`. */
const secretOf = (vault: VaultServer) => ({ ...vaultPlaceOf(vault), tlsEnable: false });

describe('a key in HashiCorp Vault', () => {
  const vaultFlags = (port: number, tokenFile: string) => [
    'hashicorp-signer',
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--auth-file',
    tokenFile,
    '--tls-enabled=false',
  ];

  it('comes when the vault does: the proxy starts without it, and says what it waits for', async () => {
    const vault = await startVaultServer();
    const key = await createKey();
    vault.secrets.set('ethsignerSigningKey', { value: key.hex });
    vault.fault = (_request, response) => answerVault(response, 503, { errors: ['Vault is sealed'] });
    const tokenFile = await (await createFolder()).write('token', VAULT_TOKEN);
    await keys.start(...vaultFlags(vault.port, tokenFile));
    expect(await keys.accounts()).toEqual([]);
    expect(await keys.notReady()).toMatch(/^no key: Vault http.*answered 503/);
    vault.fault = undefined;
    await until(async () => (await keys.accounts()).length === 1);
    expect(await keys.accounts()).toEqual([key.address]);
    expect(await keys.notReady()).toBeUndefined();
    await vault.stop();
  });

  it('signs on while the vault is unavailable, also after a reload', async () => {
    const vault = await startVaultServer();
    const [key, local] = [await createKey(), await createKey()];
    vault.secrets.set('one', { value: key.hex });
    const folder = await createFolder();
    await folder.addRawSigner(local);
    await folder.write(`${key.name}.toml`, vaultSigner(secretOf(vault)));
    await keys.startFolder(folder);
    await until(async () => (await keys.accounts()).length === 2);
    await vault.stop();
    expect((await keys.reload()).status).toBe(202);
    await until(async () => (await keys.reloadStatus()) !== 'running');
    expect(await keys.accounts()).toEqual(addressesOf(key, local));
    const { result } = await keys.running.call('eth_sign', [key.address, 'signed on']);
    expect(verifyMessage('signed on', result as string).toLowerCase()).toBe(key.address);
  });

  it('is asked for in one reload at a time: what comes meanwhile is refused', async () => {
    const vault = await startVaultServer();
    const key = await createKey();
    vault.secrets.set('one', { value: key.hex });
    const folder = await createFolder();
    await folder.write(`${key.name}.toml`, vaultSigner(secretOf(vault)));
    await keys.startFolder(folder);
    await until(async () => (await keys.accounts()).length === 1);
    let release = (): void => undefined;
    const released = new Promise<void>((done) => (release = done));
    vault.fault = (_request, response) => void released.then(() => answerVault(response, 503, {}));
    expect((await keys.reload()).status).toBe(202);
    expect(await keys.reload()).toEqual({
      status: 409,
      body: {
        status: 'error',
        message: 'A reload operation is already in progress. Please try again later.',
      },
    });
    expect(await keys.reloadStatus()).toBe('running');
    release();
    await until(async () => (await keys.reloadStatus()) !== 'running');
    expect(await keys.accounts()).toEqual([key.address]);
    await vault.stop();
  });

  it.each<[string, string, (folder: KeyFolder) => Promise<readonly string[]>]>([
    [
      'AppRole',
      'approle',
      async (folder) => ['--role-id', 'desk', '--secret-id-file', await folder.write('secret-id', SECRET)],
    ],
    [
      'the token of its pod',
      'kubernetes',
      async (folder) => ['--role', 'signer', '--jwt-file', await folder.write('jwt', SECRET)],
    ],
    [
      'the token of another issuer',
      'jwt',
      async (folder) => [
        '--role',
        'signer',
        '--auth-mount',
        'issuers/own',
        '--jwt-file',
        await folder.write('jwt', SECRET),
      ],
    ],
  ])('is read with a login by %s, which the vault may refuse at first', async (_what, method, flagsOf) => {
    const vault = await startVaultServer();
    const key = await createKey();
    const mount = method === 'jwt' ? 'issuers/own' : method;
    vault.secrets.set('ethsignerSigningKey', { value: key.hex });
    vault.fault = (_request, response) => answerVault(response, 503, { errors: ['Vault is sealed'] });
    const folder = await createFolder();
    await keys.start(
      'hashicorp-signer',
      '--host',
      '127.0.0.1',
      '--port',
      String(vault.port),
      '--tls-enabled=false',
      '--auth-method',
      method,
      ...(await flagsOf(folder)),
    );
    expect(await keys.notReady()).toMatch(/^no key: Vault http.*answered 503/);
    vault.logins.set(mount, (body) => [body['secret_id'], body['jwt']].includes(SECRET));
    vault.fault = undefined;
    await until(async () => (await keys.accounts()).length === 1);
    expect(await keys.accounts()).toEqual([key.address]);
    expect(vault.requests.map(({ path }) => path)).toContain(`/v1/auth/${mount}/login`);
    expect(JSON.stringify(keys.running.complaints)).not.toContain(SECRET);
    await vault.stop();
  });
});
