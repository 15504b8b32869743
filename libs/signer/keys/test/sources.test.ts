import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { recoverAddress } from '@tetrad/crypto';
import { parseAddress } from '@tetrad/types';
import {
  PASSWORD,
  createFolder,
  createKey,
  fileSigner,
  rawSigner,
  vaultSigner,
  type KeyFolder,
} from './key-folder.js';
import { clearAfterEach, faults, loadKeys } from './open-keys.js';

clearAfterEach();

const KA = '7577919ae5df4941180eac211965f275cdce314d';
const KA_HEX = '86e6fa33d44da09c2b3860767dc929e31eefc43891872bbe97365a357fb758f3';

const load = (folder: KeyFolder) => loadKeys([{ kind: 'signer-files', directory: folder.path }]);

describe('a directory of signer files', () => {
  it('gives the keys of its files in ascending order, and signs with each', async () => {
    const folder = await createFolder();
    const keys = await Promise.all(Array.from({ length: 5 }, () => createKey()));
    for (const [index, key] of keys.entries()) {
      if (index % 2 === 0) await folder.addRawSigner(key);
      else await folder.addFileSigner(key, { prefix: 'UTC--2019-12-05T05-17-11.151993000Z--' });
    }
    const opened = await load(folder);
    expect(opened.keys.list()).toEqual(keys.map(({ address }) => address).sort());
    const digest = new Uint8Array(32).fill(7);
    for (const { address } of keys) {
      const signature = await opened.keys.sign(address, digest);
      expect(recoverAddress(digest, signature as NonNullable<typeof signature>)).toBe(address);
    }
    expect(opened.keys.progress()).toEqual({ total: 5, loaded: 5, failed: 0, running: false });
    expect(faults(opened)).toEqual([]);
  });

  it('signs for no other account', async () => {
    const folder = await createFolder();
    await folder.write(`${KA}.toml`, rawSigner(KA_HEX));
    const { keys } = await load(folder);
    const stranger = parseAddress(`0x${'11'.repeat(20)}`);
    expect(keys.has(stranger)).toBe(false);
    expect(await keys.sign(stranger, new Uint8Array(32))).toBeUndefined();
  });

  it('lists exactly the address of a matching file, whatever is before it in the name (SP-23)', async () => {
    const folder = await createFolder();
    await folder.write(`any prefix 0x${KA}.toml`, rawSigner(`0x${KA_HEX}`));
    expect((await load(folder)).keys.list()).toEqual([`0x${KA}`]);
  });

  it('ignores a key that belongs to another address, with a line that names the file (SP-24)', async () => {
    const folder = await createFolder();
    const key = await createKey();
    await folder.addFileSigner(key);
    await folder.remove(`${key.name}.toml`);
    await folder.write(`${'f'.repeat(40)}.toml`, fileSigner(`${key.name}.json`, `${key.name}.password`));
    await folder.write(`${'e'.repeat(40)}.toml`, rawSigner(key.hex));
    const opened = await load(folder);
    expect(opened.keys.list()).toEqual([]);
    expect(faults(opened)).toEqual([
      `${folder.path}/${'e'.repeat(40)}.toml: the file is named for 0x${'e'.repeat(40)}, its key is that of ${key.address}`,
      `${folder.path}/${'f'.repeat(40)}.toml: the file is named for 0x${'f'.repeat(40)}, its key is that of ${key.address}`,
    ]);
    expect(opened.keys.notReady()).toBeUndefined();
  });

  it('has no key for an address that two files are named for (SP-25)', async () => {
    const folder = await createFolder();
    await folder.write(`a-${KA}.toml`, rawSigner(KA_HEX));
    await folder.write(`b-${KA}.toml`, rawSigner(KA_HEX));
    const opened = await load(folder);
    expect(opened.keys.list()).toEqual([]);
    expect(faults(opened)[0]).toContain(
      `more than one file is named for 0x${KA}: a-${KA}.toml, b-${KA}.toml`,
    );
  });

  it('says of a key in plain text that it is for development', async () => {
    const folder = await createFolder();
    await folder.write(`${KA}.toml`, rawSigner(KA_HEX));
    const { keys, lines } = await load(folder);
    await keys.reload();
    expect(lines.filter(({ level }) => level === 'warn')).toEqual([
      {
        level: 'warn',
        message: 'key loaded with warnings',
        values: {
          name: `${folder.path}/${KA}.toml`,
          reason: 'the key is in the file as plain text: for development only',
        },
      },
    ]);
  });

  it('as Kubernetes mounts a secret, of links that lead through a hidden folder, is read like any other', async () => {
    const folder = await createFolder();
    const key = await createKey();
    await mkdir(join(folder.path, '..2026'));
    await symlink('..2026', join(folder.path, '..data'));
    for (const [name, content] of [
      [`${key.name}.toml`, fileSigner('key.json', 'password')],
      ['key.json', key.keyFile],
      ['password', PASSWORD],
    ] as const) {
      await folder.write(`..2026/${name}`, content);
      await symlink(`..data/${name}`, join(folder.path, name));
    }
    expect((await load(folder)).keys.list()).toEqual([key.address]);
  });

  it('does not read a file that is too large for what it should be', async () => {
    const folder = await createFolder();
    await folder.write(`${KA}.toml`, rawSigner(KA_HEX) + '#'.repeat(2_000_000));
    const opened = await load(folder);
    expect(faults(opened)).toEqual([`${folder.path}/${KA}.toml: cannot be read (TOO_LARGE)`]);
  });

  it('takes the first line of a password file (SP-22)', async () => {
    const folder = await createFolder();
    const key = await createKey({ password: 'password' });
    await folder.addFileSigner(key, { password: 'password\nsecond line' });
    expect((await load(folder)).keys.list()).toEqual([key.address]);
  });

  it('takes an empty password file for the empty password', async () => {
    const folder = await createFolder();
    const key = await createKey({ password: '' });
    await folder.addFileSigner(key, { password: '' });
    expect((await load(folder)).keys.list()).toEqual([key.address]);
  });

  it('ignores other files, hidden ones and folders', async () => {
    const folder = await createFolder();
    await folder.write('README.md', 'no key');
    await folder.write(`.${KA}.toml`, rawSigner(KA_HEX));
    const opened = await load(folder);
    expect(opened.keys.progress()).toMatchObject({ total: 0 });
  });

  it.each<[string, string, string]>([
    ['no TOML', 'priv-key = = "secret"', 'is not TOML (line 1)'],
    ['no signing table', '[metadata]\n', 'signing: '],
    ['no type', '[signing]\n', 'signing.type: '],
    ['an unknown type', '[signing]\ntype = "yubihsm"\n', 'signing.type: '],
    [
      'a key in Azure without its name',
      '[signing]\ntype = "azure-signer"\nkey-vault-name = "bank"\n',
      'signing.key-name: is required',
    ],
    ['a missing key', '[signing]\ntype = "file-based-signer"\nkey-file = "a"\n', 'signing.password-file: '],
    [
      'a value of a wrong type',
      '[signing]\ntype = "file-based-signer"\nkey-file = 5\npassword-file = "a"\n',
      'signing.key-file: ',
    ],
    ['an invalid key', rawSigner('00'.repeat(32)), 'signing.priv-key: not a secp256k1 private key'],
    ['a key that is not hex', rawSigner('secret-of-mine'), 'signing.priv-key: not a secp256k1 private key'],
    ['a key file that is not there', fileSigner('none.json', 'password'), 'File not found: '],
    ['a password file that is not there', fileSigner('key.json', 'none'), 'File not found: '],
    [
      'a key file that is not JSON',
      fileSigner('broken.json', 'password'),
      'Error when reading key file for the file based signer. ',
    ],
    [
      'a key file that is a folder',
      fileSigner('.', 'password'),
      'Error when reading key file for the file based signer. ',
    ],
    [
      'a vault without a token',
      vaultSigner({ keyPath: '/v1/a', serverHost: 'localhost' }),
      'signing.token: ',
    ],
    [
      'a vault with an invalid port',
      vaultSigner({ keyPath: '/v1/a', serverHost: 'localhost', token: 't', serverPort: 70000 }),
      'signing.serverPort: ',
    ],
    [
      'a vault with a store of unknown type',
      vaultSigner({ keyPath: '/v1/a', serverHost: 'localhost', token: 't', tlsTrustStoreType: 'BKS' }),
      'signing.tlsTrustStoreType: ',
    ],
    [
      'a vault with a store that is nowhere',
      vaultSigner({ keyPath: '/v1/a', serverHost: 'localhost', token: 't', tlsTrustStoreType: 'PEM' }),
      'signing.tlsTrustStorePath: is required',
    ],
    [
      'a vault with a store without password',
      vaultSigner({
        keyPath: '/v1/a',
        serverHost: 'localhost',
        token: 't',
        tlsTrustStoreType: 'jks',
        tlsTrustStorePath: 'a',
      }),
      'signing.tlsTrustStorePassword: is required',
    ],
  ])('continues without a file that has %s', async (_what, toml, text) => {
    const folder = await createFolder();
    await folder.write('broken.json', '{"crypto":');
    await folder.write('key.json', (await createKey()).keyFile);
    await folder.write('password', PASSWORD);
    await folder.write(`${'a'.repeat(40)}.toml`, toml);
    await folder.write(`${KA}.toml`, rawSigner(KA_HEX));
    const opened = await load(folder);
    expect(opened.keys.list()).toEqual([`0x${KA}`]);
    expect(faults(opened)).toHaveLength(1);
    expect(faults(opened)[0]).toContain(`${'a'.repeat(40)}.toml: ${text}`);
    expect(JSON.stringify(opened.lines)).not.toMatch(/secret|pass-word-of-tests/);
    expect(opened.keys.checks()).toEqual([
      { id: 'keys-check/config-files-loading', status: 'DOWN', data: { 'keys-loaded': 1, 'error-count': 1 } },
    ]);
  });

  it.each(['key.toml', `${'A'.repeat(40)}.toml`, `${'a'.repeat(39)}.toml`])(
    'goes on without a file named %s',
    async (name) => {
      const folder = await createFolder();
      await folder.write(name, rawSigner(KA_HEX));
      const opened = await load(folder);
      expect(opened.keys.list()).toEqual([]);
      expect(faults(opened)[0]).toContain(
        `${name}: the name of a signer file ends with a lower-case address`,
      );
    },
  );

  it('that is not there keeps the process from starting', async () => {
    await expect(loadKeys([{ kind: 'signer-files', directory: '/nowhere' }])).rejects.toThrow(
      'Failed to construct a signer from supplied arguments. Cause: /nowhere: cannot be read (ENOENT)',
    );
  });
});
