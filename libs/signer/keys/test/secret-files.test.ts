import { chmod } from 'node:fs/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { KeySourceSettings } from '@tetrad/signer-keys';
import { createFolder, createKey, rawConfig, removeFolders } from './key-folder.js';
import { loadKeys } from './open-keys.js';

afterEach(removeFolders);

/** Warnings about loaded keys, with the paths left out. */
async function cautions(source: KeySourceSettings, path: string): Promise<string[]> {
  const { keys, lines } = await loadKeys([source]);
  expect(keys.list()).toHaveLength(1);
  return lines
    .filter(({ message }) => message === 'key loaded with warnings')
    .map(({ values }) => String(values.reason).replaceAll(`${path}/`, ''));
}

describe('a file with a secret that others may read', () => {
  it.each([
    ['0644', 0o644],
    ['0640', 0o640],
    ['0604', 0o604],
  ])('is spoken of when it holds a raw key and has mode %s', async (_mode, mode) => {
    const [folder, key] = [await createFolder(), await createKey()];
    const keyFile = await folder.write('raw', key.hex);
    await chmod(keyFile, mode);
    expect(await cautions({ kind: 'raw-key', keyFile }, folder.path)).toEqual([
      `the key is in the file as plain text: for development only; raw can be read by others than its owner (mode ${mode.toString(8)}): make it 600`,
    ]);
  });

  it('is spoken of when it is one of settings', async () => {
    const [folder, key] = [await createFolder(), await createKey()];
    await chmod(await folder.write('a.yaml', rawConfig(key.hex)), 0o644);
    const source = { kind: 'key-configs', directory: folder.path, maxFileBytes: 1_000 } as const;
    expect(await cautions(source, folder.path)).toEqual([
      expect.stringContaining('a.yaml can be read by others'),
    ]);
  });

  it('is spoken of when it holds a password', async () => {
    const [folder, key] = [await createFolder(), await createKey()];
    await folder.addFileSigner(key);
    const source = { kind: 'signer-files', directory: folder.path } as const;
    expect(await cautions(source, folder.path)).toEqual([]);
    await chmod(`${folder.path}/${key.name}.password`, 0o644);
    expect(await cautions(source, folder.path)).toEqual([
      `${key.name}.password can be read by others than its owner (mode 644): make it 600`,
    ]);
  });

  it('gets no warning when only the owner may read it', async () => {
    const [folder, key] = [await createFolder(), await createKey()];
    const keyFile = await folder.write('raw', key.hex);
    expect(await cautions({ kind: 'raw-key', keyFile }, folder.path)).toEqual([
      'the key is in the file as plain text: for development only',
    ]);
  });
});
