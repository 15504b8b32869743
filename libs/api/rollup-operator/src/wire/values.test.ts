import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { OPERATION_HASH, SIBLING } from '../examples.js';
import { ACCOUNT_ID_BEFORE_HASH, textForInteger } from '../tolerances.js';
import {
  amountCodec,
  fieldElementCodec,
  movedAmountCodec,
  merkleProofParamCodec,
  publicKeyCodec,
  scalarCodec,
  totalIndexSchema,
} from './values.js';

describe('an amount', () => {
  it.each([
    [0, 0n, 0],
    [2500, 2500n, 2500],
    ['0x9c4', 2500n, 2500],
    ['2500', 2500n, 2500],
    ['18446744073709551615', 2n ** 64n - 1n, 2n ** 64n - 1n],
    [2n ** 64n - 1n, 2n ** 64n - 1n, 2n ** 64n - 1n],
  ])('of %p is read and written without loss', (wire, amount, written) => {
    expect(z.decode(amountCodec, wire)).toBe(amount);
    expect(z.encode(amountCodec, amount)).toBe(written);
  });

  it.each([
    -1,
    1.5,
    2n ** 64n,
    2 ** 53,
    '2500.0',
    '18446744073709551616',
    '0x',
    `0x1${'0'.repeat(16)}`,
    null,
  ])('of %p is refused', (wire) => {
    expect(amountCodec.safeParse(wire).success).toBe(false);
  });
});

describe('an amount that an operation moves', () => {
  it.each([0, 0n, '0', '0x0', '000', '0x0000000000000000'])('is not %p', (wire) => {
    expect(movedAmountCodec.safeParse(wire).error?.issues).toMatchObject([{ message: 'must be above 0' }]);
  });

  it.each([1n, 2n ** 64n - 1n])('is %p, read and written without loss', (amount) => {
    expect(z.decode(movedAmountCodec, z.encode(movedAmountCodec, amount))).toBe(amount);
  });
});

describe('wire values of the rollup', () => {
  it('have exactly their bytes, with or without 0x', () => {
    const key = '11'.repeat(64);
    expect(z.decode(publicKeyCodec, key)).toEqual(z.decode(publicKeyCodec, `0x${key}`));
    expect(publicKeyCodec.safeParse(`0x${key}00`).success).toBe(false);
    expect(publicKeyCodec.safeParse(`0x${key.slice(1)}`).success).toBe(false);
  });

  it('are elements of the field where they are committed to', () => {
    const order = '30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001';
    const below = `${order.slice(0, -1)}0`;
    expect(z.decode(fieldElementCodec, below)).toHaveLength(32);
    expect(z.encode(fieldElementCodec, z.decode(fieldElementCodec, below))).toBe(`0x${below}`);
    expect(fieldElementCodec.safeParse(order).success).toBe(false);
    expect(scalarCodec.safeParse(order).success).toBe(true);
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

  it('read text where an integer is declared, and leave what does not fit', () => {
    expect(textForInteger(0, 2).normalize(['0x4', '0x4', null])).toEqual([4, '0x4', null]);
    expect(textForInteger(0, 1).normalize(['9007199254740991', '1e3'])).toEqual([2 ** 53 - 1, '1e3']);
    expect(textForInteger(0, 1).normalize(['0x20000000000000', '9007199254740992'])).toEqual([
      '0x20000000000000',
      '9007199254740992',
    ]);
    expect(textForInteger(0).normalize(['0xfffffffffffffff'])).toEqual(['0xfffffffffffffff']);
  });
});
