import { expect, it } from '@jest/globals';
import { context, rejection, transaction } from '../../test/pool-entries.js';
import { blockGasLimit } from './block-gas-limit.js';

it.each([
  [10_000_000n, 'accepted'],
  [10_000_001n, ['GAS_LIMIT_EXCEEDED', 'exceeds block gas limit']],
])('a transaction with gas limit %p is checked by that of a block', (gasLimit, expected) => {
  expect(rejection(() => blockGasLimit.check(transaction({ gasLimit }), context()))).toEqual(expected);
});
