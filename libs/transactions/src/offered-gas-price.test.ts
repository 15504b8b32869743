import { describe, expect, it } from '@jest/globals';
import { envelopeOf } from './transaction-envelope.js';
import type { TransactionFees } from './unsigned-transaction.js';
import { offeredGasPrice } from './offered-gas-price.js';

const word = (last: number) => new Uint8Array(32).fill(last, 31);
const signature = { r: word(1), s: word(2), parity: 0 } as const;

describe('the gas price that a signed transaction offers', () => {
  it.each<[string, TransactionFees, bigint]>([
    ['none', { type: 'legacy', gasPrice: 0n }, 0n],
    ['of a legacy transaction', { type: 'legacy', gasPrice: 1_000_000_007n }, 1_000_000_007n],
    ['with an access list', { type: 'accessList', gasPrice: 77n, accessList: [] }, 77n],
    [
      'as the cap of dynamic fees',
      { type: 'dynamicFee', maxFeePerGas: 500n, maxPriorityFeePerGas: 3n, accessList: [] },
      500n,
    ],
  ])('is read: %s', (_what, fees, price) => {
    const transaction = {
      chainId: 9n,
      nonce: 300n,
      gasLimit: 21_000n,
      value: 4n,
      data: new Uint8Array(0),
      fees,
    };
    expect(offeredGasPrice(envelopeOf({ ...transaction, to: undefined }).raw(signature))).toBe(price);
  });
});
