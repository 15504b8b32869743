import { describe, expect, it } from '@jest/globals';
import { DerivationThreads } from './derivation-threads.js';
import { deriveKey, type KeyDerivation } from './key-derivation.js';

const salt = new Uint8Array(32).fill(9);
const password = () => Buffer.from('pass word ü');
const scrypt = (n: number, r = 8): KeyDerivation => ({ kdf: 'scrypt', n, r, p: 1, salt });

describe('derivation threads', () => {
  it.each<[string, KeyDerivation]>([
    ['scrypt', scrypt(1024)],
    ['scrypt with more blocks than one', { kdf: 'scrypt', n: 64, r: 2, p: 5, salt }],
    ['PBKDF2', { kdf: 'pbkdf2', c: 1000, salt }],
    ['scrypt beyond the bound of RFC 7914', { kdf: 'scrypt', n: 2 ** 16, r: 1, p: 1, salt }],
  ])('derive what the thread pool derives: %s', async (_what, derivation) => {
    const threads = new DerivationThreads({ threads: 2 });
    const mine = password();
    const derived = await threads.derive(derivation, mine);
    expect(Buffer.from(derived)).toEqual(Buffer.from(await deriveKey(derivation, password())));
    // The caller's own bytes are left alone.
    expect(mine).toEqual(password());
  });

  it('continue after parameters that cannot be computed', async () => {
    const threads = new DerivationThreads({ threads: 1 });
    const results = await Promise.allSettled([
      threads.derive(scrypt(1000), password()),
      threads.derive(scrypt(1024), password()),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(String((results[0] as PromiseRejectedResult).reason)).not.toContain('pass word');
  });

  it('serve many jobs at once, and again after they had nothing to do', async () => {
    const threads = new DerivationThreads({ threads: 3 });
    const expected = Buffer.from(await deriveKey(scrypt(256), password()));
    for (let attempt = 0; attempt < 2; attempt++) {
      const derived = await Promise.all(
        Array.from({ length: 20 }, () => threads.derive(scrypt(256), password())),
      );
      for (const one of derived) expect(Buffer.from(one)).toEqual(expected);
    }
  });

  it('that are closed end what runs and what waits, and take nothing new', async () => {
    const threads = new DerivationThreads({ threads: 1 });
    const jobs = [threads.derive(scrypt(2 ** 18), password()), threads.derive(scrypt(1024), password())];
    const ends = Promise.allSettled(jobs);
    threads.close();
    expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(threads.derive(scrypt(1024), password())).rejects.toThrow('closed');
  });
});
