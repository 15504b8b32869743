import { expect, it } from '@jest/globals';
import { hasReached } from './catching-up.js';

it.each([
  ['a peer is far ahead', [9, 12], false, false],
  ['the peers have the next block at most', [10, 11], false, true],
  ['a peer has not announced its head', [10, undefined], false, false],
  ['it has no peers', [], false, false],
  ['it is configured without peers', [], true, true],
])('whether a node at block 10 has caught up when %s', (_, heads, isAlone, expected) => {
  const peers = heads.map((number) => ({ head: number === undefined ? undefined : { number } }));
  expect(hasReached(10, peers, { isAlone })).toBe(expected);
});
