import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { startAzureVaultServer, until, type AzureFault, type AzureVaultServer } from '@tetrad/testkit';
import { verifyMessage } from 'ethers/hash';
import { Transaction } from 'ethers/transaction';
import { createFolder, removeFolders } from '../../../../libs/signer/keys/test/key-folder.js';
import { startFakeNode, type FakeNode } from '../fake-node.js';
import { startSigner, type RunningSigner } from '../running-signer.js';

const KEY = new Uint8Array(32).fill(5);
const ACCOUNT = addressFromPrivateKey(KEY);

let vault: AzureVaultServer;
let node: FakeNode;
let signer: RunningSigner | undefined;
beforeEach(async () => {
  [vault, node] = await Promise.all([startAzureVaultServer(), startFakeNode()]);
  vault.addVersion('desk', KEY);
});
afterEach(async () => {
  await signer?.stop();
  signer = undefined;
  await Promise.all([vault.stop(), node.stop(), removeFolders()]);
});

/** As web3signer's documentation shows it. */
const yaml = () => `
type: azure-key
clientId: signer
clientSecret: ${vault.clientSecret}
tenantId: bank
vaultName: bank
keyName: desk
endpointOverride: ${vault.url}
authorityOverride: ${vault.url}
`;
/** As EthSigner's documentation shows it. */
const toml = () => `
[signing]
type = "azure-signer"
key-vault-name = "bank"
key-name = "desk"
key-version = "1"
client-id = "signer"
client-secret = "${vault.clientSecret}"
tenant-id = "bank"
endpoint = "${vault.url}"
authority = "${vault.url}"
`;

async function start(name: string, text: string, flag: string): Promise<RunningSigner> {
  const folder = await createFolder();
  await folder.write(name, text);
  signer = await startSigner({ downstreamPort: node.port, chainId: 9, keyFlags: [flag, folder.path] });
  return signer;
}
const startWithYaml = () => start('desk.yaml', yaml(), '--key-config-path');
const isLoaded = (running: RunningSigner) => async () =>
  ((await running.call('eth_accounts')).result as string[]).length === 1;
const send = (running: RunningSigner) =>
  running.call('eth_sendTransaction', [{ from: ACCOUNT, to: ACCOUNT, gas: '0x5208', gasPrice: '0x0' }]);
const nonces = () => node.submitted().map((raw) => Transaction.from(raw as string).nonce);

describe('a signer whose key is in Azure Key Vault', () => {
  it('reads a file of web3signer, signs and sends', async () => {
    const running = await startWithYaml();
    await until(isLoaded(running));
    const { result } = await running.call('eth_sign', [ACCOUNT, 'signed elsewhere']);
    expect(verifyMessage('signed elsewhere', result as string).toLowerCase()).toBe(ACCOUNT);
    await Promise.all(Array.from({ length: 5 }, () => send(running)));
    expect(nonces().sort()).toEqual([1, 2, 3, 4, 5]);
  });

  it('reads a file of EthSigner', async () => {
    const running = await start(`${ACCOUNT.slice(2)}.toml`, toml(), '--multikey-signer-directory');
    await until(isLoaded(running));
    expect((await send(running)).error).toBeUndefined();
  });

  it.each([
    ['denies', 403],
    ['fails', 500],
  ])('refuses with 503 while the vault %s, and uses the nonce when it signs again', async (_what, status) => {
    const running = await startWithYaml();
    await until(isLoaded(running));
    const body = { error: { code: 'Forbidden', message: vault.clientSecret } };
    vault.setFault((line) => (line.endsWith('/sign') ? { status, body } : undefined));
    const refused = await send(running);
    expect(refused).toMatchObject({
      status: 503,
      error: { data: { reason: 'KEY_UNAVAILABLE', account: ACCOUNT } },
    });
    const readiness = await (await fetch(`${running.opsUrl}/readyz`)).text();
    expect(readiness).toContain(
      `${ACCOUNT}: Azure Key Vault ${vault.url}, key desk: HTTP ${status} Forbidden`,
    );
    const said = [JSON.stringify(refused), readiness, JSON.stringify(running.complaints)].join('');
    expect(said).not.toContain(vault.clientSecret);
    vault.setFault(undefined);
    await until(async () => (await send(running)).error === undefined);
    expect(nonces()).toEqual([1]);
  });

  describe('that is listed', () => {
    const OTHER_KEY = new Uint8Array(32).fill(6);
    const startWithOptions = async (...more: readonly string[]) => {
      const folder = await createFolder();
      const secretFile = await folder.write('secret', vault.clientSecret);
      const keyFlags = [
        '--azure-vault-enabled',
        '--azure-vault-name',
        'bank',
        '--azure-client-id',
        'signer',
        '--azure-tenant-id',
        'bank',
        '--azure-client-secret-file',
        secretFile,
        '--azure-endpoint-override',
        vault.url,
        '--azure-authority-override',
        vault.url,
        ...more,
      ];
      signer = await startSigner({ downstreamPort: node.port, chainId: 9, keyFlags });
      return signer;
    };
    const accounts = async (running: RunningSigner) =>
      (await running.call('eth_accounts')).result as readonly string[];

    it('is loaded beside the others with its tags', async () => {
      vault.addVersion('other', OTHER_KEY);
      vault.describe('desk', { tags: { ENV: 'prod', CLIENT: 'A' } });
      vault.describe('other', { tags: { ENV: 'prod' } });
      const running = await startWithOptions('--azure-tags', 'ENV=prod');
      await until(async () => (await accounts(running)).length === 2);
      expect((await send(running)).error).toBeUndefined();
      await running.stop();
      const filtered = await startWithOptions('--azure-tags', 'ENV=prod', '--azure-tags=CLIENT=A');
      await until(isLoaded(filtered));
      expect(await accounts(filtered)).toEqual([ACCOUNT]);
    });

    it('comes when the vault answers, stays while it does not list, and goes when it is not listed', async () => {
      const denied = { status: 403, body: { error: { code: 'Forbidden', message: vault.clientSecret } } };
      vault.setFault((line) => (line === 'GET /keys' ? denied : undefined));
      const running = await startWithOptions();
      const readiness = await fetch(`${running.opsUrl}/readyz`);
      const said = `${await readiness.text()}${JSON.stringify(running.complaints)}`;
      expect(readiness.status).toBe(503);
      expect(said).toContain('HTTP 403 Forbidden; keys/list is needed');
      expect(said).not.toContain(vault.clientSecret);
      vault.setFault(undefined);
      await until(isLoaded(running));
      const reload = async () => {
        await running.request({ method: 'POST', path: '/reload' });
        await until(
          async () =>
            !(await running.request({ method: 'GET', path: '/reload' })).text
              .toLowerCase()
              .includes('running'),
        );
      };
      vault.setFault((line) => (line === 'GET /keys' ? denied : undefined));
      await reload();
      expect(await accounts(running)).toEqual([ACCOUNT]);
      vault.setFault(undefined);
      vault.describe('desk', { enabled: false });
      await reload();
      expect(await accounts(running)).toEqual([]);
    });
  });
});

describe('a signer whose key is a secret in Azure Key Vault', () => {
  const secretYaml = () =>
    yaml()
      .replace('type: azure-key', 'type: azure-secret\nkeyType: SECP256K1')
      .replace('keyName', 'secretName');
  const startWithSecret = () => start('desk.yaml', secretYaml(), '--key-config-path');
  const digits = Buffer.from(KEY).toString('hex');

  it.each(['', '0x'])('reads a file of web3signer, and the key with %j before it', async (prefix) => {
    vault.secrets.set('desk', `${prefix}${digits}`);
    const running = await startWithSecret();
    await until(isLoaded(running));
    await vault.stop();
    // It was loaded once, and signs here.
    expect((await send(running)).error).toBeUndefined();
  });

  it('starts without a key when the secret is not a private key, shows no part of it, and loads the key once it is there', async () => {
    vault.secrets.set('desk', `${digits}00`);
    const running = await startWithSecret();
    await until(async () => JSON.stringify(running.complaints).includes('not a secp256k1 private key'));
    const readiness = await (await fetch(`${running.opsUrl}/readyz`)).text();
    const said = `${readiness}${JSON.stringify(running.complaints)}`;
    for (const secret of [digits, vault.clientSecret]) expect(said).not.toContain(secret);
    vault.secrets.set('desk', digits);
    await until(isLoaded(running));
  });

  it.each<[string, AzureFault, string]>([
    ['denies it', { status: 403, body: { error: { code: 'Forbidden' } } }, 'secrets/get is needed'],
    ['throttles', { status: 429, body: { error: { code: 'Throttled' } } }, 'HTTP 429'],
    ['fails', { status: 500 }, 'HTTP 500'],
    ['hangs', 'hang', 'no answer'],
  ])(
    'starts without a key while the vault %s, says so, and loads it afterwards',
    async (_what, fault, text) => {
      vault.secrets.set('desk', digits);
      vault.setFault((line) => (line.startsWith('GET /secrets/') ? fault : undefined));
      const running = await start('desk.yaml', `${secretYaml()}timeout: 1\n`, '--key-config-path');
      const said = async () => {
        const readiness = await (await fetch(`${running.opsUrl}/readyz`)).text();
        return `${readiness}${JSON.stringify(running.complaints)}`;
      };
      await until(async () => (await said()).includes(text));
      expect(await said()).not.toContain(vault.clientSecret);
      vault.setFault(undefined);
      await until(isLoaded(running));
      expect((await send(running)).error).toBeUndefined();
    },
  );
});
