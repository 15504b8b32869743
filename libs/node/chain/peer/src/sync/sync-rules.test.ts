import { describe, expect, it } from '@jest/globals';
import { ZERO_ADDRESS, hashFromBytes, parseAddress, type Block } from '@tetrad/types';
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
    roundTripMs,
    syncBlockedUntilMs: 0,
    syncFaults: 0,
    isConnected: true,
    address: ZERO_ADDRESS,
    head: number === undefined ? undefined : { number, hash: hash(1) },
    ...changes,
  });
  const now = { number: 10, nowMs: 1_000, preferred: [] };

  it('is the peer that is furthest ahead, and the fastest of equal ones', () => {
    const [near, far, quick] = [source(11), source(20, 50), source(20, 5)];
    expect(pickSource([near, far, quick, source(20)], now)).toBe(quick);
  });

  it('is a peer that failed less often before one that claims more', () => {
    const [far, near, nearer] = [source(99, 1, { syncFaults: 2 }), source(20), source(11)];
    expect(pickSource([far, nearer, near], now)).toBe(near);
    expect(pickSource([far, source(98, 1, { syncFaults: 3 })], now)).toBe(far);
  });

  it('is a preferred peer before all others, of these the one that failed least', () => {
    const address = parseAddress(`0x${'07'.repeat(20)}`);
    const preferred = [1, 2].map((syncFaults) => source(12, 50, { address, syncFaults }));
    const asked = { ...now, preferred: [address] };
    expect(pickSource([source(99), ...preferred, source(98)], asked)).toBe(preferred[0]);
    expect(pickSource([source(99), source(10, 1, { address })], asked)).toMatchObject({
      head: { number: 99 },
    });
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
