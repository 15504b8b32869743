import { describe, expect, it } from '@jest/globals';
import { PASSWORD, addressesOf, createFolder, createKey, createKeys } from './key-folder.js';
import { clearAfterEach, faults, loadKeys } from './open-keys.js';

clearAfterEach();

describe('a folder of key stores', () => {
  it('opens all with one password (SP-32)', async () => {
    const folder = await createFolder();
    const keys = await createKeys(4);
    for (const [index, key] of keys.entries())
      await folder.write(`${key.name}.${index === 0 ? 'JSON' : 'json'}`, key.keyFile);
    const passwordFile = await folder.write('password.txt', `${PASSWORD}\n`);
    const opened = await loadKeys([{ kind: 'key-stores', directory: folder.path, passwordFile }]);
    expect(opened.keys.list()).toEqual(addressesOf(keys));
    expect(opened.keys.checks()).toEqual([
      {
        id: 'keys-check/v3-keystores-bulk-loading',
        status: 'UP',
        data: { 'keys-loaded': 4, 'error-count': 0 },
      },
    ]);
  });

  it('takes files whose names end with .json, and no others, as web3signer does', async () => {
    const folder = await createFolder();
    const [key, ...others] = await createKeys(4);
    if (key === undefined) throw new Error('no key');
    await folder.write('a.json', key.keyFile);
    const names = ['UTC--2026-01-01T00-00-00.0Z--a', 'b.json.bak', 'json'];
    for (const [index, other] of others.entries()) await folder.write(names[index] ?? '', other.keyFile);
    const passwordFile = await folder.write('password', PASSWORD);
    const opened = await loadKeys([{ kind: 'key-stores', directory: folder.path, passwordFile }]);
    expect(opened.keys.list()).toEqual([key.address]);
    expect(faults(opened)).toEqual([]);
  });

  it('without a file of that name is spoken of, as it is hardly meant', async () => {
    const folder = await createFolder();
    await folder.write('UTC--2026-01-01T00-00-00.0Z--a', (await createKey()).keyFile);
    const passwordFile = await folder.write('password', PASSWORD);
    const { lines } = await loadKeys([{ kind: 'key-stores', directory: folder.path, passwordFile }]);
    expect(lines.filter(({ level }) => level === 'warn')).toEqual([
      {
        level: 'warn',
        message: 'no keys found',
        values: { reason: `--keystores-path: no file in ${folder.path} has a name that ends with .json` },
      },
    ]);
  });

  it('opens each with the password file of its name, and continues without one that has none', async () => {
    const [stores, passwords] = [await createFolder(), await createFolder()];
    const keys = await Promise.all([
      createKey({ password: 'one' }),
      createKey({ password: 'two' }),
      createKey(),
    ]);
    for (const [index, key] of keys.entries()) {
      await stores.write(`key-${index}.json`, key.keyFile);
      if (index < 2) await passwords.write(`key-${index}.txt`, ['one', 'two\r\n'][index] as string);
    }
    const opened = await loadKeys([
      { kind: 'key-stores', directory: stores.path, passwordsDirectory: passwords.path },
    ]);
    expect(opened.keys.list()).toEqual(
      keys
        .slice(0, 2)
        .map(({ address }) => address)
        .sort(),
    );
    expect(faults(opened)).toEqual([
      `${stores.path}/key-2.json: File not found: ${passwords.path}/key-2.txt`,
    ]);
  });
});

describe('several sources at once', () => {
  it('give the keys of all; a key that two of them offer is there once', async () => {
    const [first, second] = [await createFolder(), await createFolder()];
    const [one, two, three] = [await createKey(), await createKey(), await createKey()];
    await first.addRawSigner(one);
    await first.addFileSigner(two);
    for (const key of [two, three]) await second.write(`${key.name}.json`, key.keyFile);
    const passwordFile = await second.write('password.txt', PASSWORD);
    const keyFile = await first.write('single', three.keyFile);
    const opened = await loadKeys([
      { kind: 'key-file', keyFile, passwordFile },
      { kind: 'signer-files', directory: first.path },
      { kind: 'key-stores', directory: second.path, passwordFile },
    ]);
    expect(opened.keys.list()).toEqual(addressesOf([one, two, three]));
    expect(opened.keys.progress()).toEqual({ total: 5, loaded: 5, failed: 0, running: false });
  });
});
