import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { answerVault, startVaultServer, until, vaultPlaceOf, type VaultServer } from '@tetrad/testkit';
import {
  createFolder,
  createKey,
  removeFolders,
  vaultSigner,
  type TestKey,
} from '../../../../libs/signer/keys/test/key-folder.js';
import { SOME_HASH, startFakeNode, type FakeNode } from '../fake-node.js';
import { startSigner, type RunningSigner } from '../running-signer.js';

let node: FakeNode;
let vault: VaultServer;
let key: TestKey;
let signer: RunningSigner;
/** Lets the vault answer. */
let release: () => void;
beforeEach(async () => {
  [node, vault, key] = [await startFakeNode(), await startVaultServer(), await createKey()];
  vault.secrets.set('one', { value: key.hex });
  const released = new Promise<void>((done) => (release = done));
  vault.fault = (_request, response) =>
    void released.then(() =>
      answerVault(response, 200, { data: { data: { value: key.hex }, metadata: {} } }),
    );
});
afterEach(async () => {
  release();
  await signer.stop();
  await vault.stop();
  await node.stop();
  await removeFolders();
});

/** With one key in a file of its own address, which the vault does not give yet. */
async function start(...flags: string[]): Promise<void> {
  const folder = await createFolder();
  await folder.write(
    `${key.name}.toml`,
    vaultSigner({ ...vaultPlaceOf(vault), tlsEnable: false, timeout: 600_000 }),
  );
  const keyFlags = ['--multikey-signer-directory', folder.path];
  signer = await startSigner({ downstreamPort: node.port, keyFlags, flags });
  await until(() => vault.requests.length > 0);
}

const send = () => signer.call('eth_sendTransaction', [{ from: key.address, nonce: '0x0' }]);

describe('an account whose key is still being loaded', () => {
  it('is signed with as soon as it is there', async () => {
    await start();
    const asked = [send(), signer.call('eth_sign', [key.address, 'x']), signer.call('eth_accounts')] as const;
    // The last one is answered: the other two have been read as well.
    expect((await asked[2]).result).toEqual([]);
    release();
    expect(await asked[0]).toMatchObject({ status: 200, result: SOME_HASH });
    expect((await asked[1]).result).toMatch(/^0x/);
  });

  it('is answered for with 503 when that takes too long', async () => {
    await start('--rpc-request-timeout', '4s');
    const loading = {
      status: 503,
      error: { code: -32000, data: { reason: 'KEY_LOADING', account: key.address } },
    };
    expect(await send()).toMatchObject(loading);
    expect(await signer.call('eth_signTransaction', [{ from: key.address, nonce: '0x0' }])).toMatchObject(
      loading,
    );
    expect(node.submitted()).toEqual([]);
  });

  it('does not delay requests for another one', async () => {
    await start();
    const stranger = await createKey();
    expect(await signer.call('eth_sendTransaction', [{ from: stranger.address }])).toMatchObject({
      status: 400,
      error: { message: 'No unlocked account matches the Sender' },
    });
  });

  it('is answered for with 503 while its vault is unavailable', async () => {
    await start();
    await vault.stop();
    await until(async () => (await send()).status === 503);
    expect(await send()).toMatchObject({ status: 503, error: { data: { reason: 'KEY_LOADING' } } });
  });
});
