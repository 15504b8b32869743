import { describe, expect, it } from '@jest/globals';
import { hexFromBytes, parseAddress } from '@tetrad/types';
import { Transaction, Wallet } from 'ethers';
import fc from 'fast-check';
import { developmentAccounts } from './development-accounts.js';
import { presign } from './presign.js';

const KEYS = developmentAccounts(8);

const transactions = fc.record({
  chainId: fc.bigInt({ min: 1n, max: 2n ** 53n }),
  nonce: fc.oneof(fc.constant(0), fc.nat()),
  gasLimit: fc.integer({ min: 0, max: 2 ** 40 }),
  gasPrice: fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 2n ** 128n })),
  to: fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => parseAddress(hexFromBytes(bytes))),
  value: fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 2n ** 255n })),
  data: fc.uint8Array({ maxLength: 300 }),
});

describe('a presigned transaction', () => {
  it('is byte for byte what ethers signs', async () => {
    await fc.assert(
      fc.asyncProperty(transactions, fc.constantFrom(...KEYS), async (transaction, { privateKey }) => {
        const wallet = new Wallet(hexFromBytes(privateKey));
        const theirs = await wallet.signTransaction(
          Transaction.from({ ...ethersForm(transaction), type: 0 }),
        );
        expect(hexFromBytes(presign(transaction, privateKey))).toBe(theirs);
      }),
    );
  });

  it('comes from the account of the key', () => {
    for (const { address, privateKey } of KEYS) {
      const [transaction] = fc.sample(transactions, 1);
      if (transaction === undefined) throw new Error('no sample');
      const { from, chainId } = Transaction.from(hexFromBytes(presign(transaction, privateKey)));
      expect([from?.toLowerCase(), chainId]).toEqual([address, transaction.chainId]);
    }
  });
});

function ethersForm(transaction: Parameters<typeof presign>[0]) {
  return { ...transaction, data: hexFromBytes(transaction.data) };
}
