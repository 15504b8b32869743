import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import {
  PASSWORD,
  createFolder,
  createKey,
  fileSigner,
  rawSigner,
  type TestKey,
} from '../../../../libs/signer/keys/test/key-folder.js';
import { addressesOf, useStartedKeys } from '../started-keys.js';

const VECTORS = join(import.meta.dirname, '../../../../libs/keystore/vectors');

const keys = useStartedKeys();
const createKeys = (count: number) => Promise.all(Array.from({ length: count }, () => createKey()));

describe('a directory of signer files', () => {
  it('gives its addresses in lower case and ascending, and later ones in the next call (SP-05)', async () => {
    const folder = await createFolder();
    const [one, two, three, late] = (await createKeys(4)) as [TestKey, TestKey, TestKey, TestKey];
    await folder.addRawSigner(three);
    await folder.addFileSigner(one);
    await folder.addFileSigner(two, { prefix: 'UTC--2019-12-05T05-17-11.151993000Z--' });
    await keys.startFolder(folder);
    await until(async () => (await keys.accounts()).length === 3);
    expect(await keys.accounts()).toEqual(addressesOf(one, two, three));
    await folder.addRawSigner(late);
    await until(async () => (await keys.accounts()).length === 4);
    expect(await keys.accounts()).toEqual(addressesOf(one, two, three, late));
    await folder.remove(`${three.name}.toml`);
    await until(async () => (await keys.accounts()).length === 3);
    expect(await keys.accounts()).toEqual(addressesOf(one, two, late));
  });

  it('opens a key file with the first line of its password file (SP-22)', async () => {
    const folder = await createFolder();
    const key = await createKey({ password: 'password' });
    await folder.addFileSigner(key, { password: 'password\nsecond line' });
    await keys.startFolder(folder);
    await until(async () => (await keys.accounts()).length === 1);
    expect(await keys.accounts()).toEqual([key.address]);
  });

  it('lists exactly the address that a file with a prefix is named for (SP-23)', async () => {
    const folder = await createFolder();
    const key = await createKey();
    await folder.addFileSigner(key, { prefix: 'any-prefix-' });
    await keys.startFolder(folder);
    await until(async () => (await keys.accounts()).length > 0);
    expect(await keys.accounts()).toEqual([key.address]);
  });

  it('has no key for a name that is not its own, nor for a duplicate one; the process lives on (SP-24, SP-25)', async () => {
    const folder = await createFolder();
    const [other, double] = (await createKeys(2)) as [TestKey, TestKey];
    await folder.write(`${other.name}.json`, other.keyFile);
    await folder.write('password', PASSWORD);
    await folder.write(`${'f'.repeat(40)}.toml`, fileSigner(`${other.name}.json`, 'password'));
    await folder.write(`a-${double.name}.toml`, rawSigner(double.hex));
    await folder.write(`b-${double.name}.toml`, rawSigner(double.hex));
    await keys.startFolder(folder);
    await until(async () => (await keys.notReady()) === undefined);
    expect(await keys.accounts()).toEqual([]);
    expect(await keys.running.call('eth_sign', [double.address, 'x'])).toMatchObject({
      status: 200,
      error: { code: -32000, message: 'No unlocked account matches the Sender' },
    });
    expect(await keys.get('/healthcheck')).toMatchObject({
      status: 503,
      body: {
        status: 'DOWN',
        checks: [
          { id: 'default-check', status: 'UP' },
          { id: 'keys-check/config-files-loading', data: { 'keys-loaded': 0, 'error-count': 3 } },
        ],
      },
    });
  });

  it('serves the loaded keys while others are loading, and /readyz reports the progress', async () => {
    const folder = await createFolder();
    const quick = await createKey();
    const slow = await Promise.all([1, 2, 3].map(() => createKey({ scryptN: 2 ** 17 })));
    await folder.addRawSigner(quick);
    for (const key of slow) await folder.addFileSigner(key);
    await keys.startFolder(folder);
    const seen = new Set<string | undefined>();
    await until(async () => {
      const reason = await keys.notReady();
      seen.add(reason);
      return reason === undefined;
    });
    expect(await keys.accounts()).toEqual(addressesOf(quick, ...slow));
    // How many of them a look catches depends on the host.
    for (const text of seen)
      if (text !== undefined) expect(text).toMatch(/^[0-3] of 4 keys loaded, 0 failed$/);
  });
});

describe('/reload', () => {
  it('loads a new key and reports the outcome, as web3signer does (SP-31)', async () => {
    const folder = await createFolder();
    const [first, late] = (await createKeys(2)) as [TestKey, TestKey];
    await folder.addRawSigner(first);
    await keys.startFolder(folder);
    await until(async () => (await keys.notReady()) === undefined);
    expect(await keys.get('/reload')).toEqual({
      status: 200,
      body: { status: 'idle', lastOperationTime: null, lastError: null },
    });
    await folder.addFileSigner(late);
    expect(await keys.reload()).toEqual({
      status: 202,
      body: {
        status: 'accepted',
        message:
          'Reload operation accepted and is running in the background. Use GET /reload to check status.',
      },
    });
    await until(async () => (await keys.reloadStatus()) === 'completed');
    expect(await keys.accounts()).toEqual(addressesOf(first, late));
    await folder.write('bad.toml', '');
    expect((await keys.reload()).status).toBe(202);
    await until(async () => (await keys.reloadStatus()) === 'completed_with_errors');
    expect((await keys.get('/reload')).body).toMatchObject({
      lastError: expect.stringContaining('bad.toml'),
    });
  });
});

describe('a folder of key stores', () => {
  it('with one password gives all its addresses, and /healthcheck counts them (SP-32)', async () => {
    const folder = await createFolder();
    const stores = await createKeys(3);
    for (const key of stores) await folder.write(`${key.name}.json`, key.keyFile);
    const passwordFile = await folder.write('password.txt', PASSWORD);
    await keys.start('--keystores-path', folder.path, '--keystores-password-file', passwordFile);
    await until(async () => (await keys.accounts()).length === 3);
    expect(await keys.accounts()).toEqual(addressesOf(...stores));
    expect(await keys.get('/healthcheck')).toMatchObject({
      status: 200,
      body: {
        status: 'UP',
        outcome: 'UP',
        checks: [
          { id: 'default-check' },
          { id: 'keys-check/v3-keystores-bulk-loading', data: { 'keys-loaded': 3, 'error-count': 0 } },
        ],
      },
    });
  });
});

describe('the key file of the reference', () => {
  it('opens with its password, at the full cost of scrypt (SP-77)', async () => {
    const folder = await createFolder();
    const passwordFile = await folder.write('password', 'pass');
    const keyFile = join(VECTORS, 'rich-benefactor-one.json');
    await keys.start('file-based-signer', '--key-file', keyFile, '--password-file', passwordFile);
    expect(await keys.accounts()).toEqual(['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73']);
  });
});
