import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { BLOCK_HASH } from '../examples.js';
import {
  blockNumberOrTagCodec,
  blockReferenceCodec,
  lenientBlockNumberCodec,
  lenientBlockReferenceCodec,
} from './block-reference.js';

describe('a block reference', () => {
  it.each([
    ['latest', 'latest'],
    ['safe', 'safe'],
    ['0x0', 0],
    ['0xff', 255],
    [BLOCK_HASH, { blockHash: BLOCK_HASH }],
    [
      { blockHash: BLOCK_HASH, requireCanonical: true },
      { blockHash: BLOCK_HASH, requireCanonical: true },
    ],
    [{ blockNumber: '0x10' }, 16],
    [{ blockNumber: 'pending' }, 'pending'],
  ])('reads %j', (wire, reference) => {
    expect(z.decode(blockReferenceCodec, wire as never)).toEqual(reference);
  });

  it.each([
    'head',
    '',
    '0x',
    '0x01',
    '0xg',
    '10',
    10,
    `${BLOCK_HASH}0`,
    '0x20000000000000',
    {},
    [],
    null,
    true,
  ])('refuses %j', (wire) => {
    expect(blockReferenceCodec.safeParse(wire).success).toBe(false);
  });

  it.each([
    ['0x01', '"0x01": hex number with leading zero digits'],
    ['0x', '"0x": hex number without digits'],
    ['10', '"10": hex string without 0x prefix'],
    ['0xzz', '"0xzz" has a character that is not a hex digit'],
    ['0X1', '"0X1": the prefix of hex is 0x'],
    ['newest', '"newest" is not a block tag'],
    ['', 'is empty'],
    [16, '16 is not hex: write it as "0x10"'],
    [1.5, '1.5 is not a whole number'],
    [-1, '-1 is below 0'],
    [2 ** 53, '9007199254740992 is above 2^53 - 1'],
    ['0x20000000000000', '"0x20000000000000" is above 2^53 - 1'],
    [`0x${'1'.repeat(63)}`, 'has 63 hex digits, and a block hash has 64'],
    [{}, 'must have either blockHash or blockNumber'],
    [{ blockHash: BLOCK_HASH, blockNumber: '0x1' }, 'must have either blockHash or blockNumber'],
    [true, 'must be a block'],
    [`0x${'0'.repeat(5000)}`, '0000…'],
  ])('describes the error of %j', (wire, problem) => {
    const [issue] = blockReferenceCodec.safeParse(wire).error?.issues ?? [];
    const branches = (issue as { errors?: { message: string }[][] }).errors ?? [];
    expect(branches[0]?.[0]?.message ?? issue?.message).toContain(problem);
  });

  it('is not a hash where only numbers and tags are documented', () => {
    expect(blockNumberOrTagCodec.safeParse(BLOCK_HASH).success).toBe(false);
  });

  it.each([
    [16, 16],
    ['0x10', 16],
    ['0x0010', 16],
    ['16', 16],
    ['latest', 'latest'],
    ['pending', 'pending'],
  ])('of the interface document reads %j', (wire, reference) => {
    expect(z.decode(lenientBlockNumberCodec, wire as never)).toBe(reference);
    expect(z.decode(lenientBlockReferenceCodec, wire as never)).toBe(reference);
  });

  it.each([-1, 1.5, Number.NaN, 2 ** 53, '0x', 'tip', null, {}])(
    'of the interface document refuses %j',
    (wire) => {
      expect(lenientBlockNumberCodec.safeParse(wire).success).toBe(false);
    },
  );

  it('is written in hex, which every network understands', () => {
    expect(z.encode(lenientBlockNumberCodec, 16)).toBe('0x10');
    expect(z.encode(blockReferenceCodec, 16)).toBe('0x10');
  });
});
