import { describe, expect, it } from '@jest/globals';
import { operationHeader, type PublicOperation } from '@tetrad/rollup-circuits';
import { gasLimitOf, largestGasLimitOf } from './gas-limit.js';

const NOTHING = { accountId: 1, amount: 5n, toAddress: 0n, leaf: 0n, order: 0n } as const;

function limitOf(...operations: Pick<PublicOperation, 'kind' | 'tokenId'>[]): bigint {
  const headers = operations.map((operation) => operationHeader({ ...NOTHING, ...operation }));
  const words = { nextStateRoot: 0n, ordersRoot: 0n, ciphertextCommitment: 0n, leaves: [], orders: [] };
  return gasLimitOf({ ...words, headers, recipients: [], ciphertexts: [] });
}

describe('the gas of a batch', () => {
  it('lets every payment have what the contract gives it, of which a call gets 63/64', () => {
    const one = limitOf({ kind: 'noOp', tokenId: 0 });
    expect(limitOf({ kind: 'inboundTransfer', tokenId: 1 })).toBe(one);
    const ether = limitOf({ kind: 'outboundTransfer', tokenId: 0 }) - one;
    const token = limitOf({ kind: 'outboundTransfer', tokenId: 1 }) - one;
    expect((ether * 63n) / 64n).toBeGreaterThanOrEqual(50_000n);
    expect((token * 63n) / 64n).toBeGreaterThanOrEqual(200_000n);
  });

  it('of two operations fits into one transaction (EIP-7825)', () => {
    const payment = { kind: 'outboundTransfer', tokenId: 1 } as const;
    expect(limitOf(payment, payment)).toBeLessThan(2n ** 24n);
  });

  it('is the most when every operation pays a token', () => {
    const kinds = [
      'noOp',
      'createAccount',
      'createMoneyOrder',
      'redeemMoneyOrder',
      'inboundTransfer',
    ] as const;
    for (const size of [1, 2, 8, 32]) {
      const most = largestGasLimitOf(size);
      const all = (operation: Parameters<typeof limitOf>[0]) =>
        limitOf(...Array.from({ length: size }, () => operation));
      expect(all({ kind: 'outboundTransfer', tokenId: 1 })).toBe(most);
      expect(all({ kind: 'outboundTransfer', tokenId: 0 })).toBeLessThan(most);
      for (const kind of kinds) expect(all({ kind, tokenId: 1 })).toBeLessThan(most);
    }
  });
});
