import { expect, it } from '@jest/globals';
import { ProofBudget } from './proof-budget.js';

it('all addresses of a host have one budget of an interval, and other hosts one of their own', () => {
  const budget = new ProofBudget();
  expect([budget.take('2001:db8::1', 60), budget.take('2001:db8::2', 60)]).toEqual([60, 40]);
  expect([budget.take('192.0.2.1', 100), budget.take('::ffff:192.0.2.1', 1)]).toEqual([100, 0]);
  budget.refill();
  expect(budget.take('192.0.2.1', 1)).toBe(1);
});
