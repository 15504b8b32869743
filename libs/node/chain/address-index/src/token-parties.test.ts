import { describe, expect, it } from '@jest/globals';
import { keccakHash } from '@tetrad/crypto';
import type { Address, Hash } from '@tetrad/types';
import { tokenParties } from './token-parties.js';

const [FROM, TO, OPERATOR] = ['a1', 'b2', 'c3'].map((byte) => `0x${byte.repeat(20)}` as Address) as [
  Address,
  Address,
  Address,
];
const topic = (address: string) => `0x${'00'.repeat(12)}${address.slice(2)}` as Hash;
const named = (signature: string) => keccakHash(Buffer.from(signature));
const TRANSFER = named('Transfer(address,address,uint256)');

describe('the accounts of a token transfer', () => {
  it('are those of ERC-20 and ERC-721, and of ERC-1155 without the operator', () => {
    expect(tokenParties({ topics: [TRANSFER, topic(FROM), topic(TO)] })).toEqual([FROM, TO]);
    expect(tokenParties({ topics: [TRANSFER, topic(FROM), topic(TO), topic('0x'.padEnd(42, '1'))] })).toEqual(
      [FROM, TO],
    );
    for (const signature of [
      'TransferSingle(address,address,address,uint256,uint256)',
      'TransferBatch(address,address,address,uint256[],uint256[])',
    ])
      expect(tokenParties({ topics: [named(signature), topic(OPERATOR), topic(FROM), topic(TO)] })).toEqual([
        FROM,
        TO,
      ]);
  });

  it('are not found in logs of another form, or in topics that are not addresses', () => {
    const word = `0x${'ff'.repeat(32)}` as Hash;
    expect(tokenParties({ topics: [TRANSFER] })).toEqual([]);
    expect(tokenParties({ topics: [TRANSFER, topic(FROM)] })).toEqual([]);
    expect(tokenParties({ topics: [TRANSFER, word, topic(TO)] })).toEqual([TO]);
    expect(tokenParties({ topics: [TRANSFER, word, word, word] })).toEqual([]);
    expect(tokenParties({ topics: [] })).toEqual([]);
    expect(tokenParties({ topics: [topic(FROM), topic(FROM), topic(TO)] })).toEqual([]);
  });
});
