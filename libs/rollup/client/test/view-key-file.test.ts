import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { formatViewKey, parseViewKey } from '../src/audit/view-key-file.js';
import { DisclosureError, makeViewKey, readViewKey, writeViewKey } from '../src/index.js';
import { IdealLeafProver } from './audited-rollup.js';
import { auditedHistory } from './audited-history.js';

const { rollup, alice } = auditedHistory();
const signed = await makeViewKey(rollup.contract(), alice.keys, {
  auditor: 'Prüfer & Söhne',
  purpose: '2026',
  fromBlock: 0,
  prover: new IdealLeafProver(),
  from: 5,
  to: 8,
  showsAllReceived: true,
});
const text = formatViewKey(signed);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-view-key-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the file of a view key', () => {
  it('is for its owner alone, is read as it was written, and never replaces another', async () => {
    const path = join(folder, 'key');
    await writeViewKey(path, signed);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readViewKey(path)).toEqual(signed);
    await expect(writeViewKey(path, signed)).rejects.toThrow('exists already');
    expect(await readFile(path, 'utf8')).toBe(text);
    await expect(writeViewKey(join(folder, 'none/key'), signed)).rejects.toThrow(
      'cannot be written (ENOENT)',
    );
    await expect(readViewKey(join(folder, 'none'))).rejects.toThrow('cannot be read (ENOENT)');
    await expect(readViewKey(folder)).rejects.toThrow('cannot be read (EISDIR)');
  });

  it('is not read beyond its limit, not even when it has no end', async () => {
    await expect(readViewKey('/dev/zero')).rejects.toThrow('the file: has more than 67108864 bytes');
  });

  it('is nothing else', async () => {
    const path = join(folder, 'other');
    for (const other of ['', 'x', '{}', '[]', 'null', '{"viewKey":{},"signature":"0x"}', text.slice(1)]) {
      await writeFile(path, other);
      await expect(readViewKey(path)).rejects.toBeInstanceOf(DisclosureError);
    }
  });

  type File = { viewKey: Record<string, unknown>; signature: string };
  const p = `0x${0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001n.toString(16)}`;

  it.each<[string, (file: File) => void, RegExp]>([
    ['another version', ({ viewKey }) => (viewKey['version'] = 1), /viewKey\.version/],
    ['a further field', ({ viewKey }) => (viewKey['memo'] = 'x'), /memo/],
    ['a missing field', ({ viewKey }) => delete viewKey['sent'], /viewKey\.sent/],
    [
      'a control character',
      ({ viewKey }) => (viewKey['auditor'] = 'A\u001b[2J'),
      /viewKey\.auditor: must not have/,
    ],
    ['a long name', ({ viewKey }) => (viewKey['purpose'] = 'A'.repeat(201)), /viewKey\.purpose/],
    [
      'a chain id with a zero before it',
      ({ viewKey }) => (viewKey['chainId'] = '031337'),
      /viewKey\.chainId/,
    ],
    ['no leaf proof', ({ viewKey }) => (viewKey['leafProofs'] = []), /viewKey\.leafProofs/],
    [
      'too many leaf proofs',
      ({ viewKey }) => (viewKey['leafProofs'] = Array.from({ length: 200 }, () => '0x')),
      /viewKey\.leafProofs/,
    ],
    [
      'a huge leaf proof',
      ({ viewKey }) => (viewKey['leafProofs'] = [`0x${'00'.repeat(70_000)}`]),
      /viewKey\.leafProofs/,
    ],
    [
      'a word above the modulus',
      ({ viewKey }) => (viewKey['closing'] = path(p)),
      /closing\.siblings: is not below/,
    ],
    [
      'a word in capitals',
      ({ viewKey }) => (viewKey['closing'] = path(`0x${'A'.repeat(64)}`)),
      /viewKey\.closing/,
    ],
    [
      'a period that ends before it begins',
      ({ viewKey }) => (viewKey['period'] = { from: 8, to: 5, fromBlock: 1, toBlock: 2 }),
      /period: ends before/,
    ],
    [
      'a key off the curve',
      ({ viewKey }) => {
        const account = viewKey['account'] as Record<string, string>;
        account['publicKey'] = `0x${'01'.repeat(64)}`;
      },
      /account\.publicKey: is not a point/,
    ],
    [
      'another signature',
      (file) => (file.signature = `0x${'01'.repeat(96)}`),
      /the signature: is not that of/,
    ],
  ])('has one form: not one with %s', (_, change, message) => {
    const file = JSON.parse(text) as File;
    change(file);
    expect(() => parseViewKey(JSON.stringify(file))).toThrow(message);
  });

  const path = (word: string) => ({ siblings: Array.from({ length: 28 }, () => word) });
});
