import { describe, expect, it } from '@jest/globals';
import { generatePrivateKey, publicKeyFromPrivateKey } from '@tetrad/crypto';
import { blsAddress, secp256k1Address } from '../address/coin-address.js';
import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { MAX_BLS_DATA_BYTES, blsPrivateKeyOf, blsPublicKey, isBlsPrivateKey } from './bls.js';
import { encodeSignature } from './coin-signature.js';
import { signData } from './sign.js';
import { SigningError } from './recoverable.js';
import { runSigningJob } from './signing-job.js';
import { createSigningPool } from './signing-pool.js';

const key = blsPrivateKeyOf(randomBytes(32));
const address = blsAddress(blsPublicKey(key));
const data = (n: number) => new Uint8Array(n).fill(n);

describe.each([0, 2])('a signing pool of %i threads', (workers) => {
  it('signs and verifies as the caller’s own thread does', async () => {
    const pool = createSigningPool({ workers });
    try {
      const inputs = Array.from({ length: 12 }, (_, index) => data(index));
      const made = await Promise.all(inputs.map((input) => pool.sign('bls', key, input)));
      expect(made).toEqual(inputs.map((input) => signData('bls', key, input)));
      const verdicts = await Promise.all(
        made.map((signature, at) => pool.verify(address, data(at), signature)),
      );
      expect(verdicts).toEqual(made.map(() => true));
      const [first] = made;
      expect(await pool.verify(address, data(5), first as never)).toBe(false);
    } finally {
      await pool.close();
    }
  });

  it('signs with the other kinds of keys too', async () => {
    const pool = createSigningPool({ workers });
    const secret = generatePrivateKey();
    const signer = secp256k1Address(Uint8Array.of(4, ...publicKeyFromPrivateKey(secret)));
    try {
      const signature = await pool.sign('secp256k1', secret, data(3));
      expect(signature).toEqual(signData('secp256k1', secret, data(3)));
      expect(await pool.verify(signer, data(3), signature)).toBe(true);
      expect(await pool.verify(signer, data(3), { ...signature, type: 2 })).toBe(false);
      expect((await pool.sign('delegated', secret, data(3))).type).toBe(3);
    } finally {
      await pool.close();
    }
  });

  it('signs many at the same time, each with its own key', async () => {
    const pool = createSigningPool({ workers });
    const secrets = Array.from({ length: 50 }, generatePrivateKey);
    const kinds = ['secp256k1', 'delegated'] as const;
    const kindOf = (at: number) => kinds[at % 2] as (typeof kinds)[number];
    try {
      const made = await Promise.all(secrets.map((secret, at) => pool.sign(kindOf(at), secret, data(at))));
      expect(made).toEqual(secrets.map((secret, at) => signData(kindOf(at), secret, data(at))));
    } finally {
      await pool.close();
    }
  });

  it('refuses an invalid secp256k1 key, and continues with the others', async () => {
    const pool = createSigningPool({ workers });
    const good = generatePrivateKey();
    try {
      const [bad, fine] = await Promise.allSettled([
        pool.sign('secp256k1', new Uint8Array(32), data(1)),
        pool.sign('secp256k1', good, data(1)),
      ]);
      expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'INVALID_KEY' } });
      expect(fine).toMatchObject({ value: signData('secp256k1', good, data(1)) });
    } finally {
      await pool.close();
    }
  });

  it('leaves the caller’s key and data as they are', async () => {
    const pool = createSigningPool({ workers });
    const [own, input] = [Uint8Array.from(key), data(9)];
    try {
      await pool.sign('bls', own, input);
      expect([own, input]).toEqual([key, data(9)]);
    } finally {
      await pool.close();
    }
  });

  it('refuses an invalid key without showing it', async () => {
    const pool = createSigningPool({ workers });
    const wrong = new Uint8Array(32).fill(0xab);
    try {
      const error = await pool.sign('bls', wrong, data(1)).catch((failure: unknown) => failure);
      expect(error).toBeInstanceOf(SigningError);
      expect(error).toMatchObject({ code: 'INVALID_KEY', message: 'bls signature invalid private key' });
      expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/abab|171,\s*171|q6ur/);
    } finally {
      await pool.close();
    }
  });

  it('refuses data beyond what the library takes', async () => {
    const pool = createSigningPool({ workers });
    try {
      await expect(pool.sign('bls', key, new Uint8Array(MAX_BLS_DATA_BYTES + 1))).rejects.toThrow(
        'data: must have at most 786432 bytes for a bls key',
      );
      const largest = new Uint8Array(MAX_BLS_DATA_BYTES);
      expect(await pool.verify(address, largest, await pool.sign('bls', key, largest))).toBe(true);
    } finally {
      await pool.close();
    }
  });

  it('takes nothing more once closed', async () => {
    const pool = createSigningPool({ workers });
    await pool.close();
    await pool.close();
    await expect(pool.sign('bls', key, data(1))).rejects.toMatchObject({ code: 'POOL_CLOSED' });
    await expect(pool.verify(address, data(1), { type: 1, data: data(1) })).rejects.toMatchObject({
      code: 'POOL_CLOSED',
    });
  });
});

describe('the queue of a pool', () => {
  it('is bounded, and what waits is finished before the pool closes', async () => {
    const pool = createSigningPool({ workers: 1, maxWaiting: 2 });
    const taken = [0, 1, 2].map((n) => pool.sign('bls', key, data(n)));
    expect(pool.waiting).toBe(2);
    await expect(pool.sign('bls', key, data(3))).rejects.toMatchObject({ code: 'POOL_FULL' });
    await pool.close();
    expect(await Promise.all(taken)).toEqual([0, 1, 2].map((n) => signData('bls', key, data(n))));
    expect(pool.waiting).toBe(0);
  });

  it('does not hold up secp256k1 signatures, which need no thread', async () => {
    const pool = createSigningPool({ workers: 1, maxWaiting: 2 });
    const secret = generatePrivateKey();
    const inputs = [0, 1, 2, 3, 4];
    const made = inputs.map((n) => pool.sign('secp256k1', secret, data(n)));
    expect(pool.waiting).toBe(2);
    expect(await Promise.all(made)).toEqual(inputs.map((n) => signData('secp256k1', secret, data(n))));
    await pool.close();
  });

  it('has places of their own for those who verify, and signatures take turns with them', async () => {
    const pool = createSigningPool({ workers: 1, maxWaiting: 4 });
    const secret = generatePrivateKey();
    const signature = signData('bls', key, data(1));
    const order: string[] = [];
    const verdicts = Array.from({ length: 10 }, () =>
      pool.verify(address, data(1), signature).finally(() => order.push('verdict')),
    );
    const outcomes = Promise.allSettled(verdicts);
    const signed = pool.sign('bls', key, data(2)).finally(() => order.push('signature'));
    expect(await pool.sign('secp256k1', secret, data(3))).toEqual(signData('secp256k1', secret, data(3)));
    expect(await signed).toEqual(signData('bls', key, data(2)));
    const verified = (await outcomes).filter(({ status }) => status === 'fulfilled');
    // One under way, and four that may wait.
    expect(verified).toHaveLength(5);
    expect(order.lastIndexOf('verdict')).toBeGreaterThan(order.indexOf('signature') + 1);
    await pool.close();
  });
});

describe('a job', () => {
  it('wipes its copies of keys, also of one that is refused while others are used', () => {
    const keys = Uint8Array.of(...key, ...new Uint8Array(32).fill(0xff));
    expect(runSigningJob({ do: 'sign-bls', keys, data: [data(1), data(1)] })).toEqual({
      made: [
        { signature: signData('bls', key, data(1)).data },
        { refused: { code: 'INVALID_KEY', message: 'bls signature invalid private key' } },
      ],
    });
    expect(keys).toEqual(new Uint8Array(64));
  });
});

describe('BLS private keys', () => {
  const ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;
  const littleEndian = (value: bigint) =>
    Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex')).reverse();

  it.each([
    ['zero', 0n, false],
    ['one', 1n, true],
    ['the order less one', ORDER - 1n, true],
    ['the order', ORDER, false],
    ['all bits', 2n ** 256n - 1n, false],
  ])('%s', (_what, value, valid) => {
    expect(isBlsPrivateKey(littleEndian(value))).toBe(valid);
  });

  it('have 32 bytes', () => {
    expect(isBlsPrivateKey(new Uint8Array(31).fill(1))).toBe(false);
  });
});

describe('the binary form', () => {
  it('is the type before the data, 200 bytes at most', () => {
    expect([...encodeSignature({ type: 2, data: Uint8Array.of(7, 8) })]).toEqual([2, 7, 8]);
    expect(() => encodeSignature({ type: 2, data: new Uint8Array(200) })).toThrow('signature data');
    expect(() => encodeSignature({ type: 256, data: new Uint8Array(1) })).toThrow('signature type');
  });
});
