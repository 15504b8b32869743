import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  SECP256K1_ORDER,
  isPrivateKey,
  publicKeyFromPrivateKey,
  recoverByPackage,
  recoverPublicKey,
  signDigest,
  useRecovery,
  type RecoverKey,
} from './secp256k1.js';
import { openLibrary, useSystemLibrary } from './system-library.js';

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const privateKey = bytes32.filter(isPrivateKey);
const parity = fc.constantFrom(0 as const, 1 as const);
/** Scalars at the bounds of what a signature can have, and those below the prime of the field that are no scalars. */
const edge = fc
  .constantFrom(0n, 1n, 2n, SECP256K1_ORDER - 1n, SECP256K1_ORDER, SECP256K1_ORDER + 1n, 2n ** 256n - 1n)
  .map((value) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex'));
const scalar = fc.oneof(bytes32, edge);

const name = await useSystemLibrary();
const describeLibrary = name === undefined ? describe.skip : describe;
if (name === undefined)
  process.stderr.write(
    'SKIPPED recovery by libsecp256k1: it is not installed on this host (Debian 12: apt-get install libsecp256k1-1)\n',
  );

describeLibrary('the libsecp256k1 of the system', () => {
  let recover: RecoverKey;

  beforeAll(async () => {
    recover = (await openLibrary(String(name))) as RecoverKey;
  });

  it('recovers the key that signed', () => {
    fc.assert(
      fc.property(privateKey, bytes32, (key, digest) => {
        const { r, s, parity: bit } = signDigest(digest, key);
        expect(recover(Buffer.concat([r, s]), bit, digest)).toEqual(publicKeyFromPrivateKey(key));
      }),
      { numRuns: 500 },
    );
  });

  it('finds of any signature what the package finds: the same key, or none', () => {
    fc.assert(
      fc.property(scalar, scalar, parity, bytes32, (r, s, bit, digest) => {
        const compact = Buffer.concat([r, s]);
        expect(recover(compact, bit, digest)).toEqual(recoverByPackage(compact, bit, digest));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['a signature of 63 bytes', 63, 0, 32],
    ['a signature of 65 bytes', 65, 0, 32],
    ['a digest of 31 bytes', 64, 0, 31],
    ['a digest of 33 bytes', 64, 0, 33],
    ['a parity of 2', 64, 2, 32],
    ['a parity of -1', 64, -1, 32],
  ])('never sees %s, at which it would end the process', (_, compact, bit, digest) => {
    const found = recover(Buffer.alloc(compact, 1), bit as 0, Buffer.alloc(digest, 1));
    expect(found).toBeUndefined();
  });

  it('returns keys that later recoveries leave as they are', () => {
    const keys = [1, 2].map((byte) => Buffer.alloc(32, byte));
    const digest = Buffer.alloc(32, 9);
    const found = keys.map((key) => {
      const { r, s, parity: bit } = signDigest(digest, key);
      return recover(Buffer.concat([r, s]), bit, digest);
    });
    expect(found).toEqual(keys.map(publicKeyFromPrivateKey));
  });
});

describe('a library of another name', () => {
  it.each(['libsecp256k1.so.0.not.here', 'libc.so.6'])('is left alone: %s', async (other) => {
    expect(await openLibrary(other)).toBeUndefined();
  });
});

describe('the way to recover', () => {
  it('is the one that was named last', () => {
    const digest = Buffer.alloc(32, 7);
    const signature = signDigest(digest, Buffer.alloc(32, 8));
    const before = recoverPublicKey(digest, signature);
    useRecovery(() => Buffer.alloc(64, 1));
    try {
      expect(recoverPublicKey(digest, signature)).toEqual(Buffer.alloc(64, 1));
    } finally {
      useRecovery(recoverByPackage);
    }
    expect(recoverPublicKey(digest, signature)).toEqual(before);
  });
});
