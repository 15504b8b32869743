import { describe, expect, it } from '@jest/globals';
import { operationsOf, orderOperation } from '../page/src/api/rollup-operations.js';
import { viewOf } from '../page/src/paths.js';
import { rollupSearchFor } from '../page/src/service-paths.js';

const HASH = `0x${'aB'.repeat(32)}`;
const KEY = `0x${'aB'.repeat(64)}`;

describe('addresses of views of services', () => {
  it.each([
    ['/rollup', { kind: 'rollup' }],
    ['/rollup/', { kind: 'rollup' }],
    ['/rollup/accounts/4294967295', { kind: 'rollupAccount', id: '4294967295' }],
    [`/rollup/operations/${HASH}`, { kind: 'rollupOperation', id: HASH }],
    ['/signing', { kind: 'signing' }],
    ['/rollup/accounts', { kind: 'unknown' }],
    ['/rollup/accounts/-1', { kind: 'unknown' }],
    ['/rollup/accounts/1/2', { kind: 'unknown' }],
    ['/rollup/operations/1', { kind: 'unknown' }],
    ['/rollup/keys/1', { kind: 'unknown' }],
    ['/signing/accounts/1', { kind: 'unknown' }],
    ['/signing/1', { kind: 'unknown' }],
  ])('%s', (path, view) => {
    expect(viewOf(path)).toEqual(view);
  });

  it.each([
    [' 1,234 ', { path: '/rollup/accounts/1234' }],
    [HASH, { path: `/rollup/operations/${HASH.toLowerCase()}` }],
    [KEY, { publicKey: KEY.toLowerCase() }],
    ['', undefined],
    ['Alice', undefined],
    ['12345678901', undefined],
  ])('a search for %j', (input, found) => {
    expect(rollupSearchFor(input)).toEqual(found);
  });
});

describe('operations of an account', () => {
  const order = (nonce: number, more: object = {}) => ({
    moneyOrder: { fromAccountId: 1, toAccountId: 2, tokenId: 0, amount: '18446744073709551615' },
    nonce,
    status: 'EXECUTED',
    operationHash: HASH,
    batchHeight: 7,
    ...more,
  });
  const transfer = (nonce: number) => ({
    fromAccountId: 1,
    toEthereumAddress: `0x${'1'.repeat(40)}`,
    tokenId: 3,
    amount: 20,
    nonce,
    status: 'REJECTED',
    rejectionReason: 'BALANCE_TOO_LOW',
    operationHash: HASH,
  });
  const page = (items: readonly unknown[], hasMoreResults = false) => ({ hasMoreResults, items });

  it('of all kinds are one list, highest nonce first, with every digit of their amounts', () => {
    const { items, hasMore } = operationsOf(
      page([order(1), order(4)]),
      page([order(2)]),
      page([transfer(3)]),
    );
    expect(items.map(({ nonce, kind }) => [nonce, kind])).toEqual([
      [4, 'order'],
      [3, 'transfer'],
      [2, 'redemption'],
      [1, 'order'],
    ]);
    expect(items[0]).toMatchObject({ amount: 2n ** 64n - 1n, to: 2, batchHeight: 7, blockNumber: undefined });
    expect(items[1]).toMatchObject({ rejectionReason: 'BALANCE_TOO_LOW', batchHeight: undefined });
    expect(hasMore).toBe(false);
    expect(operationsOf(page([]), page([], true), page([])).hasMore).toBe(true);
  });

  it('of another form are refused, not shown', () => {
    expect(() => orderOperation('order', order(1, { status: '<img>' }))).toThrow('status');
    expect(() => orderOperation('order', order(1, { operationHash: 'javascript:' }))).toThrow();
    expect(() => orderOperation('order', order(-1))).toThrow('nonce');
    expect(() => operationsOf(page([]), page([]), { items: [] })).toThrow('hasMoreResults');
  });
});
