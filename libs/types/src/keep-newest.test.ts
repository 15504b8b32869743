import { expect, test } from '@jest/globals';
import { keepNewest } from './keep-newest.js';

test('deletes the entries that were added first', () => {
  const entries = new Map([
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ]);
  entries.delete('a');
  entries.set('a', 4);
  keepNewest(entries, 2);
  expect([...entries]).toEqual([
    ['c', 3],
    ['a', 4],
  ]);
});

test('leaves a set alone that has no more than the maximum', () => {
  const entries = new Set(['a', 'b']);
  keepNewest(entries, 2);
  expect([...entries]).toEqual(['a', 'b']);
  keepNewest(entries, 0);
  expect(entries.size).toBe(0);
});
