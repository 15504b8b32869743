import { expect, it } from '@jest/globals';
import { context, rejection, transaction } from '../../test/pool-entries.js';
import { privateTransaction } from './private-transaction.js';

const REFUSED = ['PRIVATE_VALUE_NOT_SUPPORTED', 'ether value is not supported for private transactions'];

it.each([
  ['private', 37n, { dataBytes: 64 }, 'accepted'],
  ['private, of the other parity', 38n, { dataBytes: 64 }, 'accepted'],
  ['private with value', 38n, { dataBytes: 64, value: 1n }, REFUSED],
  ['private without a hash', 37n, {}, REFUSED],
  [
    'private with a call',
    37n,
    { dataBytes: 68 },
    ['INVALID_PAYLOAD_HASH', expect.stringContaining('68 bytes')],
  ],
  ['public with value', 2709n, { value: 1n }, 'accepted'],
] as const)('a transaction that is %s is checked by what it may carry', (_kind, v, changes, expected) => {
  const one = { ...transaction(changes), v };
  expect(rejection(() => privateTransaction.check(one, context()))).toEqual(expected);
});
