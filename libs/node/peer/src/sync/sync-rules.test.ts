import { describe, expect, it } from '@jest/globals';
import { hashFromBytes, type Block } from '@tetrad/types';
import { brokenLink } from './block-download.js';
import { lookAhead } from './look-ahead.js';
import { pickSource, type BlockSource } from './pick-source.js';

const hash = (value: number) => hashFromBytes(new Uint8Array(32).fill(value));
const block = (number: number, own = number, parent = number - 1) =>
  ({ hash: hash(own), header: { number, parentHash: hash(parent) } }) as Block;

describe('blocks of a range', () => {
  const parent = { number: 4, hash: hash(4) };

  it.each([
    ['follow each other', [block(5), block(6), block(7)], undefined],
    ['are empty', [], undefined],
    ['begin later', [block(6)], 'number'],
    ['have a gap', [block(5), block(7)], 'number'],
    ['come in another order', [block(6), block(5)], 'number'],
    ['begin on another parent', [block(5, 5, 9)], 'parent'],
    ['break off in the middle', [block(5), block(6, 6, 9)], 'parent'],
  ])('that %s', (_, blocks, expected) => {
    expect(brokenLink(blocks, parent)).toBe(expected);
  });
});

describe('the source of blocks', () => {
  const source = (
    number: number | undefined,
    roundTripMs?: number,
    changes: Partial<BlockSource> = {},
  ): BlockSource => ({
    ...{ roundTripMs, syncBlockedUntilMs: 0, isConnected: true },
    head: number === undefined ? undefined : { number, hash: hash(1) },
    ...changes,
  });
  const now = { number: 10, nowMs: 1_000 };

  it('is the peer that is furthest ahead, and the fastest of equal ones', () => {
    const [near, far, quick] = [source(11), source(20, 50), source(20, 5)];
    expect(pickSource([near, far, quick, source(20)], now)).toBe(quick);
  });

  it('is never a peer that is not ahead, not connected, blamed or without a head', () => {
    const bad = [
      source(10),
      source(undefined),
      source(99, 1, { isConnected: false }),
      source(99, 1, { syncBlockedUntilMs: 1_001 }),
    ];
    expect(pickSource(bad, now)).toBeUndefined();
    expect(pickSource(bad, { ...now, nowMs: 1_001 })).toBe(bad[3]);
  });
});

describe('looking ahead', () => {
  async function* numbers(made: number[], count: number, end?: Error) {
    for (let number = 0; number < count; number++) {
      made.push(number);
      yield number;
    }
    if (end !== undefined) throw end;
  }
  const settle = () => new Promise((done) => setImmediate(done));

  it('returns all items in order, and prepares a bounded number of them', async () => {
    const made: number[] = [];
    const taken: number[] = [];
    for await (const number of lookAhead(numbers(made, 20), 3)) {
      await settle();
      taken.push(number);
      expect(made.length - taken.length).toBeLessThanOrEqual(3);
    }
    expect(taken).toEqual(made);
    expect(taken).toHaveLength(20);
  });

  it('fails where the source fails, after the items before', async () => {
    const taken: number[] = [];
    const run = async () => {
      for await (const number of lookAhead(numbers([], 5, new Error('end')), 3)) taken.push(number);
    };
    await expect(run()).rejects.toThrow('end');
    expect(taken).toEqual([0, 1, 2, 3, 4]);
  });

  it('ends the source when it is no longer wanted', async () => {
    const made: number[] = [];
    for await (const number of lookAhead(numbers(made, 1_000), 2)) if (number === 4) break;
    await settle();
    const { length } = made;
    await settle();
    expect(made).toHaveLength(length);
    expect(length).toBeLessThanOrEqual(8);
  });
});
