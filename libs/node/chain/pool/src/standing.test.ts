import { expect, it } from '@jest/globals';
import { STANDING, standingOf } from './standing.js';

it.each([
  ['an unknown account', undefined, false, true, 'unfunded'],
  ['an account without balance, whose transactions come here', 0n, false, true, 'unfunded'],
  ['one that another node submits for', 1n, false, false, 'funded'],
  ['one that is submitted for here', 1n, false, true, 'local'],
  ['an account of this node without balance', 0n, true, false, 'local'],
] as const)('the standing of %s', (_, balance, isOwn, isSubmittedHere, expected) => {
  const account = balance === undefined ? undefined : { balance };
  expect(standingOf(account, { isOwn, isSubmittedHere })).toBe(STANDING[expected]);
});
