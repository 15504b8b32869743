import { expect, it } from '@jest/globals';
import { context, rejection, transaction } from '../../test/pool-entries.js';
import { transactionSize } from './transaction-size.js';

it('a transaction has at most the bytes of the limit', () => {
  const one = transaction();
  const { length } = one.raw;
  expect(rejection(() => transactionSize.check(one, context({ transactionBytes: length })))).toBe('accepted');
  expect(rejection(() => transactionSize.check(one, context({ transactionBytes: length - 1 })))).toEqual([
    'OVERSIZED_DATA',
    `oversized data: transaction size ${length}, limit ${length - 1}`,
  ]);
  expect(rejection(() => transactionSize.check(transaction({ dataBytes: 131_072 }), context()))[0]).toBe(
    'OVERSIZED_DATA',
  );
});
