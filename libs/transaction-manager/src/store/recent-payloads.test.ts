import { expect, it } from '@jest/globals';
import { RecentPayloads } from './recent-payloads.js';

const hash = (index: number) => new Uint8Array(Buffer.from(String(index).padStart(64, '0')));
const kept = (recent: RecentPayloads<number>, count: number) =>
  Array.from({ length: count }, (_, index) => index).filter(
    (index) => recent.find(hash(index)) !== undefined,
  );

it('finds a payload by its hash', () => {
  const recent = new RecentPayloads<number>();
  recent.add(hash(1), 1, 100);
  recent.add(hash(2), 2, 100);
  expect([recent.find(hash(1)), recent.find(hash(2)), recent.find(hash(3))]).toEqual([1, 2, undefined]);
});

it('forgets the oldest payloads beyond 4,096', () => {
  const recent = new RecentPayloads<number>();
  for (let index = 0; index < 5_000; index += 1) recent.add(hash(index), index, 1);
  expect(kept(recent, 5_000)).toEqual(Array.from({ length: 4_096 }, (_, index) => index + 904));
});

it('forgets the oldest payloads beyond 8 MiB, and does not remember one of more than 1 MiB', () => {
  const recent = new RecentPayloads<number>();
  for (let index = 0; index < 10; index += 1) recent.add(hash(index), index, 1_048_576);
  recent.add(hash(10), 10, 1_048_577);
  expect(kept(recent, 11)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
});

it('forgets a payload that is taken', () => {
  const recent = new RecentPayloads<number>();
  recent.add(hash(1), 1, 1);
  expect([recent.take(hash(1)), recent.take(hash(1))]).toEqual([1, undefined]);
});
