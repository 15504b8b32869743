import { describe, expect, it } from '@jest/globals';
import type { CreditItem, ReceivedItem } from '@tetrad/rollup-client';
import { describeListed, describeRecord, listedJson } from './record-text.js';

const credit = {
  totalIndex: 20_481,
  fromAccountId: 1,
  toAccountId: 2,
  tokenId: 0,
  amount: 250n,
  batchHeight: 5,
} as unknown as CreditItem;

const received = {
  moneyOrderTotalIndex: 20_482,
  moneyOrder: { fromAccountId: 1, toAccountId: 2, tokenId: 0, amount: 7n },
  batchHeight: 5,
} as unknown as ReceivedItem;

describe('records of the lists of an operator', () => {
  it('mark a credit as not proved, in words and in JSON', () => {
    expect(describeListed(credit)).toBe('credit 20481  from 1  250 units of token 0  batch 5  not proved');
    expect(JSON.parse(listedJson(credit, { kind: 'credited' }))).toMatchObject({
      kind: 'credited',
      amount: '250',
      isProved: false,
    });
  });

  it('do not mark a credit that was proved before it is printed', () => {
    expect(describeRecord(credit)).toBe('credit 20481  from 1  250 units of token 0  batch 5');
  });

  it('do not mark a received order, which is proved when it is redeemed', () => {
    expect(describeListed(received)).toBe(describeRecord(received));
    expect(JSON.parse(listedJson(received))).not.toHaveProperty('isProved');
  });
});
