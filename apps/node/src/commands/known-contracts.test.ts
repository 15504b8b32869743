import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readKnownContracts } from './known-contracts.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'known-contracts-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const HASH = `0x${'ab'.repeat(32)}`;

function read(text: string) {
  const path = join(folder, 'contracts.json');
  writeFileSync(path, text);
  return readKnownContracts(path);
}

it('gives the names of a file by the hashes of codes', async () => {
  expect([...(await read(JSON.stringify({ [HASH.toUpperCase().replace('X', 'x')]: 'Bond v2' })))]).toEqual([
    [HASH, 'Bond v2'],
  ]);
});

it.each([
  ['{', 'is not JSON'],
  ['[]', 'expected record'],
  ['{"0x12":"a"}', 'a key is not the hash of a code'],
  [JSON.stringify({ [HASH]: '' }), 'a name has 1 to 128 printable'],
  [JSON.stringify({ [HASH]: 'a\u001b[2J' }), 'a name has 1 to 128 printable'],
  [JSON.stringify({ [HASH]: 'a' }) + ' '.repeat(4 * 1_048_576), 'more than 4194304 bytes'],
])('refuses %.40s, and says why', async (text, reason) => {
  await expect(read(text)).rejects.toThrow(reason);
});

it('refuses a file that is not there', async () => {
  await expect(readKnownContracts(join(folder, 'none'))).rejects.toThrow('--known-contracts');
});
