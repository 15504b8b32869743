import { expect, it } from '@jest/globals';
import { parseHash } from '@tetrad/types';
import type { AuditedOperation } from './audit-report.js';
import { unredeemedOrders } from './unredeemed-orders.js';

const place = (totalIndex: number) => ({
  totalIndex,
  batchHeight: 1,
  blockNumber: 1,
  timestamp: 1,
  transactionHash: parseHash(`0x${'7a'.repeat(32)}`),
});
const payment = { otherAccountId: 2, tokenId: 0, amount: 7n };

it('an order that was not redeemed is open above the redemption index, and forfeited below it', () => {
  const operations: AuditedOperation[] = [
    ...[3, 4, 5].map((at) => ({ ...place(at), kind: 'received' as const, ...payment, nonce: undefined })),
    { ...place(9), kind: 'redeemed', ...payment, nonce: 1, orderIndex: 4 },
  ];
  const closing = { nonce: 1, redemptionIndex: 4, balances: new Map(), consent: 0n };
  expect(unredeemedOrders(operations, closing).map(({ totalIndex, state }) => [totalIndex, state])).toEqual([
    [3, 'forfeited'],
    [5, 'open'],
  ]);
});
