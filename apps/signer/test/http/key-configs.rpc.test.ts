import { describe, expect, it } from '@jest/globals';
import { verifyMessage } from 'ethers/hash';
import { answerVault, startVaultServer, until, vaultPlaceOf } from '@tetrad/testkit';
import {
  createFolder,
  createKey,
  rawConfig,
  vaultConfig,
  type TestKey,
} from '../../../../libs/signer/keys/test/key-folder.js';
import { addressesOf, useStartedKeys } from '../started-keys.js';

const keys = useStartedKeys();
const createKeys = (count: number) => Promise.all(Array.from({ length: count }, () => createKey()));
const isReloaded = async () => !['idle', 'running'].includes(await keys.reloadStatus());

describe('a directory of key configurations in YAML', () => {
  it('gives the accounts of its documents, which sign, and later ones after a reload (SP-31)', async () => {
    const folder = await createFolder();
    const [one, two, late] = (await createKeys(3)) as [TestKey, TestKey, TestKey];
    await folder.write('two.yaml', `${rawConfig(`0x${one.hex}`)}---\n${rawConfig(two.hex)}`);
    await keys.start('--key-config-path', folder.path);
    await until(async () => (await keys.accounts()).length === 2);
    expect(await keys.accounts()).toEqual(addressesOf(one, two));
    for (const { address } of [one, two]) {
      const { result } = await keys.running.call('eth_sign', [address, 'of YAML']);
      expect(verifyMessage('of YAML', result as string).toLowerCase()).toBe(address);
    }
    await folder.addKeystoreConfig(late);
    expect((await keys.reload()).status).toBe(202);
    await until(isReloaded);
    expect(await keys.accounts()).toEqual(addressesOf(one, two, late));
  });

  it('under its older name lives on with a bad document, which /healthcheck and /reload tell of', async () => {
    const folder = await createFolder();
    const key = await createKey();
    await folder.write('some.yml', `${rawConfig(key.hex)}---\ntype: yubihsm\nkeyType: SECP256K1\n`);
    await keys.start('--key-store-path', folder.path);
    await until(async () => (await keys.notReady()) === undefined);
    expect(await keys.accounts()).toEqual([key.address]);
    const checks = [
      { id: 'default-check', status: 'UP' },
      { id: 'keys-check/config-files-loading', data: { 'keys-loaded': 1, 'error-count': 1 } },
    ];
    expect(await keys.get('/healthcheck')).toMatchObject({ status: 503, body: { status: 'DOWN', checks } });
    await keys.reload();
    await until(isReloaded);
    expect((await keys.get('/reload')).body).toMatchObject({
      status: 'completed_with_errors',
      lastError: `${folder.path}/some.yml, document 2: type: yubihsm is not supported (line 5)`,
    });
  });

  it('beside signer files in TOML counts as one check, and waits for its vault', async () => {
    const [yaml, toml] = [await createFolder(), await createFolder()];
    const [remote, local] = (await createKeys(2)) as [TestKey, TestKey];
    const vault = await startVaultServer();
    vault.secrets.set('one', { value: remote.hex });
    vault.fault = (_request, response) => answerVault(response, 503, {});
    await yaml.write('v.yaml', vaultConfig(vaultPlaceOf(vault)));
    await toml.addRawSigner(local);
    await keys.start('--key-config-path', yaml.path, '--multikey-signer-directory', toml.path);
    await until(async () => (await keys.notReady()) === undefined);
    expect(await keys.accounts()).toEqual([local.address]);
    vault.fault = undefined;
    await until(async () => (await keys.accounts()).length === 2);
    expect(await keys.accounts()).toEqual(addressesOf(remote, local));
    expect(((await keys.get('/healthcheck')).body as { checks: unknown }).checks).toMatchObject([
      { id: 'default-check' },
      { id: 'keys-check/config-files-loading', data: { 'keys-loaded': 2, 'error-count': 0 } },
    ]);
    await vault.stop();
  });
});
