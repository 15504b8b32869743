import { expect, it } from '@jest/globals';
import { AccountTurns } from './account-turns.js';

it('an account that comes with nothing waiting is served before the second of one with many', () => {
  const turns = new AccountTurns(new Map(), 40);
  const many = [1, 1, 1, 1].map((accountId) => turns.next(accountId));
  expect(many).toEqual([40, 41, 42, 43]);
  expect(turns.next(2)).toBe(40);
});

it('what an account did when nothing waited is not held against it, nor kept for it', () => {
  const turns = new AccountTurns(new Map([[1, 10], [2, 90]]), 40); // prettier-ignore
  expect([turns.next(1), turns.next(2), turns.next(3)]).toEqual([40, 91, 40]);
});

it('an operation that takes two places has two turns, of which the first is when it is served', () => {
  const turns = new AccountTurns(new Map(), 40);
  expect([turns.next(1, 2), turns.next(1, 2), turns.next(1), turns.next(2)]).toEqual([40, 42, 44, 40]);
});
