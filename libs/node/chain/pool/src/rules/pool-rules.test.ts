import { expect, it } from '@jest/globals';
import { poolRules } from './pool-rules.js';

it('the rules of the pool have names, and those that read no state come first', () => {
  const names = (rules: readonly { readonly name: string }[]) => rules.map(({ name }) => name);
  const { transaction, state, sender } = poolRules(() => undefined);
  expect(names(transaction)).toEqual([
    'transaction size',
    'well formed',
    'private transaction',
    'block gas limit',
    'gas price',
  ]);
  expect(names(state)).toEqual(['permission']);
  expect(names(sender)).toEqual(['nonce', 'sender code', 'funds', 'replacement']);
  expect(poolRules().state).toEqual([]);
});
