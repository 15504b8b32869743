import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  createFolder,
  createKey,
  fileSigner,
  rawSigner,
  type KeyFolder,
  type TestKey,
} from './key-folder.js';
import { clearAfterEach, closeKeys, loadKeys } from './open-keys.js';

clearAfterEach();

/** What a test does to the signer file of one key. */
const deeds = [
  'file',
  'raw',
  'twice',
  'damaged',
  'other key',
  'wrong password',
  'no password',
  'gone',
] as const;
type Deed = (typeof deeds)[number];

const KEYS = await Promise.all(Array.from({ length: 6 }, () => createKey({ scryptN: 2 })));

/** Whether the key is available afterwards. */
async function apply(folder: KeyFolder, key: TestKey, deed: Deed): Promise<boolean> {
  const forget = (name: string) => folder.remove(name).catch(() => undefined);
  for (const name of [`${key.name}.toml`, `twice-${key.name}.toml`, `${key.name}.password`])
    await forget(name);
  const other = KEYS[(KEYS.indexOf(key) + 1) % KEYS.length] as TestKey;
  const write = (toml: string) => folder.write(`${key.name}.toml`, toml);
  switch (deed) {
    case 'gone':
      break;
    case 'file':
      await folder.addFileSigner(key);
      break;
    case 'raw':
      await folder.addRawSigner(key);
      break;
    case 'twice':
      await folder.addRawSigner(key);
      await folder.addFileSigner(key, { prefix: 'twice-' });
      break;
    case 'damaged':
      await write(rawSigner(key.hex).slice(0, -5));
      break;
    case 'other key':
      await write(rawSigner(other.hex));
      break;
    case 'wrong password':
      await folder.addFileSigner(key, { password: 'wrong' });
      break;
    case 'no password':
      await write(fileSigner(`${key.name}.json`, 'none'));
      break;
  }
  return deed === 'file' || deed === 'raw';
}

const changes = fc.array(fc.tuple(fc.nat(KEYS.length - 1), fc.constantFrom(...deeds)), { maxLength: 6 });

describe('reloads', () => {
  it('after any changes give what a fresh load gives, and report exactly the difference', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 5 }), async (steps) => {
        const folder = await createFolder();
        const sources = [{ kind: 'signer-files', directory: folder.path }] as const;
        const { keys } = await loadKeys(sources);
        const available = new Set<string>();
        for (const step of steps) {
          for (const [index, deed] of step) {
            const key = KEYS[index] as TestKey;
            if (await apply(folder, key, deed)) available.add(key.address);
            else available.delete(key.address);
          }
          const before = keys.list();
          const difference = await keys.reload();
          const fresh = await loadKeys(sources);
          expect(keys.list()).toEqual([...available].sort());
          expect(keys.list()).toEqual(fresh.keys.list());
          expect(keys.progress()).toEqual(fresh.keys.progress());
          expect(difference.added).toEqual(keys.list().filter((address) => !before.includes(address)));
          expect(difference.removed).toEqual(before.filter((address) => !keys.has(address)));
          expect(difference.failed).toHaveLength(fresh.keys.progress().failed);
        }
        closeKeys();
      }),
      { numRuns: 20 },
    );
  });
});
