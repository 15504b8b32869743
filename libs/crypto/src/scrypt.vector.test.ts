import { describe, expect, it } from '@jest/globals';
import { scrypt, scryptMemory } from './scrypt.js';

describe('scrypt', () => {
  // Source: RFC 7914, section 12
  it.each([
    [
      ['password', 'NaCl', { n: 1024, r: 8, p: 16 }],
      'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640',
    ],
    [
      ['pleaseletmein', 'SodiumChloride', { n: 16384, r: 8, p: 1 }],
      '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887',
    ],
  ] as const)('gives the published bytes: %j', async ([password, salt, cost], expected) => {
    const derived = await scrypt(password, new TextEncoder().encode(salt), { ...cost, length: 64 });
    expect(Buffer.from(derived).toString('hex')).toBe(expected);
  });

  it('takes the documented memory, also when its blocks outweigh its table', async () => {
    const cost = { n: 2, r: 8, p: 4_000 };
    expect(scryptMemory(cost)).toBeGreaterThan(128 * cost.r * (cost.n + cost.p));
    expect(await scrypt('', new Uint8Array(16), { ...cost, length: 32 })).toHaveLength(32);
  });

  it('is refused at an invalid cost', async () => {
    const attempt = async () => scrypt('', new Uint8Array(16), { n: 3, r: 8, p: 1, length: 32 });
    await expect(attempt()).rejects.toThrow('Invalid scrypt params');
  });
});
