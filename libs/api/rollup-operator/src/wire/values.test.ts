import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { OPERATION_HASH, SIBLING } from '../examples.js';
import { ACCOUNT_ID_BEFORE_HASH, hexForInteger } from '../tolerances.js';
import { amountCodec, merkleProofParamCodec, publicKeyCodec, totalIndexSchema } from './values.js';

describe('an amount', () => {
  it.each([
    [0, 0n, 0],
    [2500, 2500n, 2500],
    ['0x9c4', 2500n, 2500],
    [2n ** 64n - 1n, 2n ** 64n - 1n, 2n ** 64n - 1n],
  ])('of %p is read and written without loss', (wire, amount, written) => {
    expect(z.decode(amountCodec, wire)).toBe(amount);
    expect(z.encode(amountCodec, amount)).toBe(written);
  });

  it.each([-1, 1.5, 2n ** 64n, 2 ** 53, '2500', '0x', `0x1${'0'.repeat(16)}`, null])(
    'of %p is refused',
    (wire) => {
      expect(amountCodec.safeParse(wire).success).toBe(false);
    },
  );
});

describe('wire values of the rollup', () => {
  it('have exactly their bytes, with or without 0x', () => {
    const key = '11'.repeat(64);
    expect(z.decode(publicKeyCodec, key)).toEqual(z.decode(publicKeyCodec, `0x${key}`));
    expect(publicKeyCodec.safeParse(`0x${key}00`).success).toBe(false);
    expect(publicKeyCodec.safeParse(`0x${key.slice(1)}`).success).toBe(false);
  });

  it('hold a total index in six bytes', () => {
    expect(totalIndexSchema.safeParse(2 ** 48 - 1).success).toBe(true);
    expect(totalIndexSchema.safeParse(2 ** 48).success).toBe(false);
  });

  it('take a Merkle proof as a list or as one text', () => {
    const other = `0x${'2d'.repeat(32)}`;
    const proof = z.decode(merkleProofParamCodec, [SIBLING, other]);
    expect(z.decode(merkleProofParamCodec, `${SIBLING}${other.slice(2)}`)).toEqual(proof);
    expect(z.encode(merkleProofParamCodec, proof)).toBe(`${SIBLING}${other.slice(2)}`);
    expect(z.decode(merkleProofParamCodec, '0x')).toEqual([]);
    expect(merkleProofParamCodec.safeParse('0x2c').success).toBe(false);
  });
});

describe('tolerances of the rollup', () => {
  it('drop an account id before the operation hash', () => {
    expect(ACCOUNT_ID_BEFORE_HASH.normalize([4, OPERATION_HASH])).toEqual([OPERATION_HASH]);
    expect(ACCOUNT_ID_BEFORE_HASH.normalize([OPERATION_HASH])).toEqual([OPERATION_HASH]);
    expect(ACCOUNT_ID_BEFORE_HASH.normalize([OPERATION_HASH, 4])).toEqual([OPERATION_HASH, 4]);
  });

  it('read hex where an integer is declared, and leave what does not fit', () => {
    expect(hexForInteger(0, 2).normalize(['0x4', '0x4', null])).toEqual([4, '0x4', null]);
    expect(hexForInteger(0).normalize(['0xfffffffffffffff'])).toEqual(['0xfffffffffffffff']);
  });
});
