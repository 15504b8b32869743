import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { recoverAddress } from '@tetrad/crypto';
import { answerVault, startVaultServer, until, VAULT_TOKEN, vaultPlaceOf } from '@tetrad/testkit';
import {
  PASSWORD,
  addressesOf,
  createFolder,
  createKey,
  createKeys,
  keystoreConfig,
  rawConfig,
  vaultConfig,
  type KeyFolder,
  type TestKey,
} from './key-folder.js';
import { clearAfterEach, faults, loadKeys, openKeys } from './open-keys.js';
import { VAULT_TLS, vector } from '../../../remote-keys/test/vault-vectors.js';

clearAfterEach();

const FINGERPRINT = new X509Certificate(readFileSync(vector('vault.crt'))).fingerprint256;
const MAX_BYTES = 1_000_000;
const source = ({ path }: KeyFolder, maxFileBytes = MAX_BYTES) =>
  ({ kind: 'key-configs', directory: path, maxFileBytes }) as const;
const load = (folder: KeyFolder, maxFileBytes?: number) => loadKeys([source(folder, maxFileBytes)]);

describe('a folder of key configurations', () => {
  it('gives the keys of all its documents, and signs with each', async () => {
    const folder = await createFolder();
    const [one, two, three, four] = (await createKeys(4)) as [TestKey, TestKey, TestKey, TestKey];
    await folder.write('a.yaml', `${rawConfig(one.hex)}---\n${rawConfig(`"0x${two.hex}"`)}`);
    await folder.write('B.YML', `# of a test\n%YAML 1.1\n---\n${rawConfig(`0x${three.hex}`)}...\n---\n`);
    await folder.addKeystoreConfig(four);
    await folder.write('other.json', '{}');
    await folder.write('.hidden.yaml', 'type: nothing');
    const opened = await load(folder);
    expect(faults(opened)).toEqual([]);
    expect(opened.keys.list()).toEqual(addressesOf([one, two, three, four]));
    const digest = new Uint8Array(32).fill(7);
    for (const { address } of [one, two, three, four]) {
      const signature = await opened.keys.sign(address, digest);
      expect(recoverAddress(digest, signature as NonNullable<typeof signature>)).toBe(address);
    }
    expect(opened.keys.checks()).toEqual([
      { id: 'keys-check/config-files-loading', status: 'UP', data: { 'keys-loaded': 4, 'error-count': 0 } },
    ]);
  });

  it('reads paths from the folder on, as web3signer does, and whole paths as they are', async () => {
    const folder = await createFolder();
    const [near, far] = (await createKeys(2)) as [TestKey, TestKey];
    const elsewhere = await createFolder();
    await mkdir(join(folder.path, 'sub'));
    await folder.write('sub/key.json', near.keyFile);
    await folder.write('sub/password', `${PASSWORD}\nsecond line`);
    await folder.write('near.yaml', keystoreConfig('sub/key.json', './sub/password'));
    const keyFile = await elsewhere.write('key.json', far.keyFile);
    await folder.write('far.yaml', keystoreConfig(keyFile, await elsewhere.write('password', PASSWORD)));
    expect((await load(folder)).keys.list()).toEqual(addressesOf([near, far]));
  });

  it('skips a bad document, names it, counts it, and serves the rest', async () => {
    const folder = await createFolder();
    const [good, late] = (await createKeys(2)) as [TestKey, TestKey];
    const documents = [
      rawConfig(good.hex),
      'type: file-raw\nprivateKey: 5\n',
      'type: yubihsm\nkeyType: SECP256K1\n',
      rawConfig('0xnothex'),
      'a: "open',
    ];
    await folder.write('bad.yaml', documents.join('---\n'));
    await folder.write('empty-password', '\n');
    await folder.write('key.json', late.keyFile);
    await folder.write('c.yaml', keystoreConfig('key.json', 'empty-password'));
    await folder.write('d.yaml', keystoreConfig('none.json', 'empty-password'));
    const opened = await load(folder);
    const file = join(folder.path, 'bad.yaml');
    expect(faults(opened)).toEqual([
      expect.stringContaining(`${file}, document 2: keyType: must be SECP256K1; web3signer takes it for BLS`),
      `${file}, document 3: type: yubihsm is not supported (line 8)`,
      `${file}, document 4: privateKey: not a secp256k1 private key in 64 hex digits`,
      expect.stringMatching(/document 5: is not YAML \(line \d+\)$/),
      expect.stringContaining(`c.yaml, document 1: Keystore password cannot be empty: `),
      expect.stringContaining('d.yaml, document 1: File not found: '),
    ]);
    expect(opened.keys.list()).toEqual([good.address]);
    expect(opened.keys.checks()).toMatchObject([
      { status: 'DOWN', data: { 'keys-loaded': 1, 'error-count': 6 } },
    ]);
    expect(opened.keys.notReady()).toBeUndefined();
  });

  it('reads no file beyond the bound', async () => {
    const folder = await createFolder();
    const [small, large] = (await createKeys(2)) as [TestKey, TestKey];
    await folder.write('small.yaml', rawConfig(small.hex));
    await folder.write('large.yaml', `${rawConfig(large.hex)}# ${'x'.repeat(500)}\n`);
    const opened = await load(folder, 500);
    expect(opened.keys.list()).toEqual([small.address]);
    expect(faults(opened)).toEqual([
      `${folder.path}/large.yaml: has more than 500 bytes (--key-store-config-file-max-size)`,
    ]);
  });

  it('has a key once that two documents ask for', async () => {
    const folder = await createFolder();
    const key = await createKey();
    await folder.write('a.yaml', [rawConfig(key.hex), rawConfig(`0x${key.hex}`)].join('---\n'));
    const opened = await load(folder);
    expect(opened.keys.list()).toEqual([key.address]);
    expect(opened.keys.progress()).toMatchObject({ total: 2, loaded: 2, failed: 0 });
  });

  it('does not start when it cannot be read', async () => {
    const folder = await createFolder();
    await expect(load({ ...folder, path: join(folder.path, 'none') })).rejects.toThrow(
      'Failed to construct a signer from supplied arguments. Cause: ',
    );
  });
});

describe('a reload of key configurations', () => {
  it('loads changed entries, and does not reopen entries that only moved', async () => {
    const folder = await createFolder();
    const vault = await startVaultServer();
    const [first, second, third] = (await createKeys(3)) as [TestKey, TestKey, TestKey];
    vault.secrets.set('one', { value: second.hex });
    const rest = vaultConfig(vaultPlaceOf(vault));
    await folder.write('a.yaml', `${rawConfig(first.hex)}---\n${rest}`);
    const { keys, lines } = await load(folder);
    expect(keys.list()).toEqual(addressesOf([first, second]));
    const cautions = lines.filter(({ message }) => message === 'key loaded with warnings');
    expect(cautions.map(({ values }) => values.reason)).toEqual([
      expect.stringContaining('plain text'),
      expect.stringContaining('without TLS'),
    ]);
    // The vault is silent, and the document stands elsewhere in the file: its key stays.
    vault.fault = (_request, response) => answerVault(response, 503, {});
    await folder.write('a.yaml', `${rest}---\n${rawConfig(third.hex)}`);
    expect(await keys.reload()).toMatchObject({
      added: [third.address],
      removed: [first.address],
      failed: [],
    });
    expect(keys.list()).toEqual(addressesOf([second, third]));
    await vault.stop();
  });

  it('comes by itself when a file appears, changes or goes', async () => {
    const folder = await createFolder();
    const [one, two] = (await createKeys(2)) as [TestKey, TestKey];
    const { keys } = await openKeys([source(folder)], { watch: true, watchQuietMs: 10 });
    await folder.write('a.yaml', rawConfig(one.hex));
    await until(() => keys.has(one.address));
    await folder.write('a.yaml', rawConfig(two.hex));
    await until(() => keys.has(two.address) && !keys.has(one.address));
    await folder.remove('a.yaml');
    await until(() => keys.list().length === 0);
  });
});

describe('a key configuration for a vault', () => {
  it('is asked for again until the vault answers', async () => {
    const folder = await createFolder();
    const vault = await startVaultServer();
    const key = await createKey();
    vault.secrets.set('one', { secp: key.hex });
    vault.fault = (_request, response) => answerVault(response, 503, {});
    await folder.write('a.yaml', vaultConfig({ ...vaultPlaceOf(vault), keyName: 'secp', timeout: 60_000 }));
    const { keys, lines } = await loadKeys([source(folder)], { vaultBackOff: { firstMs: 10, maxMs: 20 } });
    expect(keys.list()).toEqual([]);
    vault.fault = undefined;
    await until(() => keys.has(key.address));
    expect(JSON.stringify(lines)).not.toContain(VAULT_TOKEN);
    await vault.stop();
  });

  it('trusts the servers of its file, which stands beside it', async () => {
    const folder = await createFolder();
    const vault = await startVaultServer({ tls: VAULT_TLS });
    const key = await createKey();
    vault.secrets.set('one', { value: key.hex });
    const settings = { ...vaultPlaceOf(vault), tlsEnabled: true, httpProtocolVersion: 'HTTP_1_1' };
    await folder.write('known', `127.0.0.1:${vault.port} ${FINGERPRINT}\n`);
    await folder.write('a.yaml', vaultConfig({ ...settings, tlsKnownServersPath: 'known' }));
    await folder.write('b.yaml', vaultConfig(settings));
    const opened = await load(folder);
    expect(opened.keys.list()).toEqual([key.address]);
    expect(faults(opened)).toEqual([expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT')]);
    await vault.stop();
  });
});
