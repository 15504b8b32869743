import { expect, it } from '@jest/globals';
import { context, rejection, transaction } from '../../test/pool-entries.js';
import { gasPrice } from './gas-price.js';

it.each([
  [0n, 0n, 'accepted'],
  [1n, 1n, 'accepted'],
  [0n, 1n, ['UNDERPRICED', 'transaction underpriced']],
])('a price of %p is checked against the minimum price of %p', (price, minimumGasPrice, expected) => {
  const one = transaction({ fees: { type: 'legacy', gasPrice: price } });
  expect(rejection(() => gasPrice.check(one, context({ minimumGasPrice })))).toEqual(expected);
});
