import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { encodeRlp } from '@tetrad/rlp';
import { bytesFromHex, hexFromBytes } from '@tetrad/types';
import { RestrictedDecodeError, decodeRestricted, readRestricted } from '../src/index.js';

interface Vector {
  readonly name: string;
  readonly privateKey: string;
  readonly chainId: string;
  readonly transaction: {
    readonly nonce: string;
    readonly gas: string;
    readonly to?: string;
    readonly data: string;
    readonly privateFrom: string;
    readonly privateFor?: readonly string[];
    readonly privacyGroupId?: string;
  };
  readonly raw: string;
}

const vectors = JSON.parse(
  readFileSync(new URL('../vectors/restricted-transactions.json', import.meta.url), 'utf8'),
) as Vector[];
const [, grouped] = vectors as [Vector, Vector];
const bytes = bytesFromHex(grouped.raw);

describe('a restricted private transaction', () => {
  it.each(vectors.filter(({ transaction }) => BigInt(transaction.nonce) < 2n ** 64n))(
    'is read as it was signed: $name',
    ({ privateKey, chainId, transaction, raw }) => {
      const read = decodeRestricted(bytesFromHex(raw), BigInt(chainId));
      const { nonce, gas, to, data, privateFrom, privateFor, privacyGroupId } = transaction;
      expect(read.sender).toBe(addressFromPrivateKey(bytesFromHex(privateKey)));
      expect([read.nonce, read.gasLimit]).toEqual([BigInt(nonce), BigInt(gas)]);
      expect([read.to, hexFromBytes(read.data)]).toEqual([to, data]);
      expect([read.privateFrom, read.privateFor]).toEqual([privateFrom, privateFor]);
      if (privacyGroupId !== undefined) expect(read.group).toBe(privacyGroupId);
    },
  );

  it('has no nonce beyond 64 bits', () => {
    const wide = vectors.find(({ transaction }) => BigInt(transaction.nonce) >= 2n ** 64n) as Vector;
    expect(() => decodeRestricted(bytesFromHex(wide.raw), BigInt(wide.chainId))).toThrow('64 bits');
  });

  it.each([
    ['for another chain', bytes, 10n, 'v: 54 is not of chain 10'],
    ['cut off', bytes.subarray(0, -1), 9n, ''],
    ['with more behind it', Buffer.concat([bytes, Uint8Array.of(0)]), 9n, ''],
    ['of no fields', Uint8Array.of(0xc0), 9n, 'transaction has 0 fields instead of 12'],
    ['of 100 kB of fields', encodeRlp(Array.from({ length: 100_000 }, () => new Uint8Array(0))), 9n, ''],
    ['of 100 kB of nesting', new Uint8Array(100_000).fill(0xc0), 9n, ''],
  ])('is rejected %s', (_what, raw, chainId, text) => {
    expect(() => decodeRestricted(raw, chainId)).toThrow(text === '' ? RestrictedDecodeError : text);
    expect(readRestricted(raw, chainId)).toBeUndefined();
  });
});
