import { expect, it } from '@jest/globals';
import { account, entry, rejection } from '../../test/pool-entries.js';
import { nonce } from './nonce.js';

it.each([
  [4n, ['NONCE_TOO_LOW', 'nonce too low: next nonce 5, tx nonce 4']],
  [5n, 'accepted'],
  [9n, 'accepted'],
])('nonce %p is checked by the next one of the account', (given, expected) => {
  const view = { entry: entry({ nonce: given }), account: account({ nonce: 5n }), queue: undefined };
  expect(rejection(() => nonce.check(view))).toEqual(expected);
});

it('an account that does not exist begins at 0', () => {
  expect(rejection(() => nonce.check({ entry: entry(), account: undefined, queue: undefined }))).toBe(
    'accepted',
  );
});
