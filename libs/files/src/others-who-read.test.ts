import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { othersWhoRead } from './others-who-read.js';

let path: string;
beforeAll(() => {
  path = join(mkdtempSync(join(tmpdir(), 'tetrad-secret-')), 'key');
  writeFileSync(path, '');
});
afterAll(() => rmSync(join(path, '..'), { recursive: true, force: true }));

it.each([0o600, 0o400, 0o700])("a secret of mode %o is its owner's alone", (mode) => {
  chmodSync(path, mode);
  expect(othersWhoRead(path)).toBeUndefined();
});

it.each([0o640, 0o604, 0o644])('a secret of mode %o can be read by others, which is said', (mode) => {
  chmodSync(path, mode);
  expect(othersWhoRead(path)).toBe(
    `${path} can be read by others than its owner (mode ${mode.toString(8)}): make it 600`,
  );
});

it('a device is no file that keeps a secret', () => {
  if (process.platform !== 'win32') expect(othersWhoRead('/dev/null')).toBeUndefined();
});

it('a secret that is not there is an error', () => {
  expect(() => othersWhoRead(`${path}.absent`)).toThrow('ENOENT');
});
