import { inspect } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { PassphraseChangedError } from '../parse-key-row.js';
import type { SealedKey, SealingParameters } from '../wallet-rows.js';
import { DamagedKeyError, KeySealer, SealingError } from '../index.js';

const COST = { n: 1024, r: 8, p: 1 };
const KEY = {
  address: Uint8Array.of(1, ...Array<number>(20).fill(7)),
  kind: 1,
  privateKey: Uint8Array.from({ length: 32 }, (_, index) => index + 1),
} as const;

let sealer: KeySealer;
let row: SealingParameters;
let sealed: SealedKey;
beforeAll(async () => {
  ({ sealer, row } = await KeySealer.create('correct horse', { cost: COST }));
  sealed = sealer.seal(KEY);
});

const flip = (bytes: Uint8Array, at: number) => bytes.map((byte, index) => (index === at ? byte ^ 1 : byte));
const copy = (privateKey: Uint8Array) => Uint8Array.from(privateKey);

describe('a key sealer', () => {
  it('opens again with its passphrase, and gives the keys back', async () => {
    const again = await KeySealer.open('correct horse', row);
    expect(await again.use(sealed, copy)).toEqual(KEY.privateKey);
  });

  it.each(['correct horsf', 'Correct horse', ' ', 'correct horse '])(
    'does not open with the passphrase %j',
    async (passphrase) => {
      await expect(KeySealer.open(passphrase, row)).rejects.toThrow(
        new SealingError('the passphrase does not open this wallet'),
      );
    },
  );

  it('takes no empty passphrase', async () => {
    await expect(KeySealer.create('')).rejects.toThrow('the passphrase is empty');
  });

  it('seals a key differently every time, and keeps nothing of it in the clear', () => {
    const other = sealer.seal(KEY);
    expect(Buffer.from(other.sealed).equals(sealed.sealed)).toBe(false);
    expect(Buffer.from(other.nonce).equals(sealed.nonce)).toBe(false);
    expect(Buffer.from(sealed.sealed).includes(Buffer.from(KEY.privateKey.subarray(0, 8)))).toBe(false);
  });

  it('wipes a key after the work, also when the work fails', async () => {
    let seen: Uint8Array | undefined;
    const failing = sealer.use(sealed, (privateKey) => {
      seen = privateKey;
      return Promise.reject(new Error('no'));
    });
    await expect(failing).rejects.toThrow('no');
    expect(seen).toEqual(new Uint8Array(32));
  });

  it('opens a row once for all who work with it, and wipes the key after the last of them', async () => {
    const seen: Uint8Array[] = [];
    const ends: (() => void)[] = [];
    const works = [1, 2].map(() =>
      sealer.use(sealed, (privateKey) => {
        seen.push(privateKey);
        return new Promise<void>((done) => ends.push(done));
      }),
    );
    expect(seen[1]).toBe(seen[0]);
    ends[0]?.();
    await works[0];
    expect(seen[1]).toEqual(KEY.privateKey);
    ends[1]?.();
    await works[1];
    expect(seen[1]).toEqual(new Uint8Array(32));
    expect(await sealer.use(sealed, copy)).toEqual(KEY.privateKey);
  });

  it('notices every changed byte of a row, and a row that was moved', async () => {
    for (let at = 0; at < sealed.sealed.length; at++) {
      await expect(sealer.use({ ...sealed, sealed: flip(sealed.sealed, at) }, copy)).rejects.toThrow(
        DamagedKeyError,
      );
    }
    const moved: Partial<SealedKey>[] = [
      { nonce: flip(sealed.nonce, 3) },
      { kind: 3 },
      { address: flip(sealed.address, 20) },
    ];
    for (const change of moved) {
      await expect(sealer.use({ ...sealed, ...change }, copy)).rejects.toThrow(
        /is damaged: it does not open/,
      );
    }
  });

  it('puts keys under another passphrase, after which the older sealer says what happened', async () => {
    const next = await KeySealer.create('battery staple', { generation: row.generation + 1, cost: COST });
    const { keys, parameters: stored } = sealer.reseal([sealed], next);
    const [resealed] = keys as readonly [SealedKey];
    const opened = await KeySealer.open('battery staple', stored);
    expect(await opened.use({ ...sealed, ...resealed }, copy)).toEqual(KEY.privateKey);
    await expect(sealer.use({ ...sealed, ...resealed }, copy)).rejects.toThrow(PassphraseChangedError);
    await expect(KeySealer.open('correct horse', stored)).rejects.toThrow('does not open');
  });

  it.each<[string, Partial<SealingParameters>]>([
    ['kdf', { kdf: 'none' }],
    ['scrypt_n', { scryptN: 1023 }],
    ['scrypt_n', { scryptN: 2 ** 30 }],
    ['scrypt_n', { scryptN: 2 }],
    ['scrypt_r', { scryptR: 0 }],
    ['scrypt_r', { scryptR: 1_000_000 }],
    ['scrypt_p', { scryptP: 1_000_000 }],
    ['salt', { salt: new Uint8Array(1) }],
  ])('refuses a row whose %s is out of bounds', async (column, change) => {
    await expect(KeySealer.open('correct horse', { ...row, ...change })).rejects.toThrow(
      `vault row: ${column} is damaged`,
    );
  });

  it('shows nothing when it is printed', () => {
    expect(JSON.stringify({ sealer })).toBe('{"sealer":"[key sealer]"}');
    expect(inspect(sealer, { showHidden: true, depth: 9 })).toBe('[key sealer]');
  });
});
