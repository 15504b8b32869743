import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { startAzureVaultServer, until, type AzureVaultServer } from '@tetrad/testkit';
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
});
