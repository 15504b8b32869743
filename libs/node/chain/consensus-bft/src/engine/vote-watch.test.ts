import { describe, expect, it } from '@jest/globals';
import { Cast, OTHER_DIGEST } from '../../test/cast/cast.js';
import { VoteWatch } from './vote-watch.js';

const cast = new Cast(4);
const [a, b] = [cast.key(0), cast.key(1)];
const block = cast.block(a);
const OPEN = 1;

describe('the watch over votes', () => {
  it('finds two messages of each kind that contradict each other, once', () => {
    const watch = new VoteWatch();
    const certificate = cast.certificate(block, 0);
    const pairs = [
      [cast.proposal(a, 0, block), cast.proposal(a, 0, cast.block(a, 1))],
      [cast.prepare(a, 0, block.hash), cast.prepare(a, 0, OTHER_DIGEST)],
      [cast.commit(a, 0, block), cast.commit(a, 0, cast.block(a, 1))],
      [cast.seal(a, 0, block), cast.seal(a, 3, cast.block(a, 1))],
      [cast.roundChange(a, 1), cast.roundChange(a, 1, certificate)],
    ] as const;
    for (const [first, second] of pairs) {
      expect(watch.observe(first, OPEN)).toBeUndefined();
      expect(watch.observe(second, OPEN)).toMatchObject({ kind: first.kind, sender: a.address, height: 1 });
      expect(watch.observe(second, OPEN)).toBeUndefined();
    }
    expect(watch.hasConflict(a.address, 1)).toBe(true);
    expect(watch.hasConflict(b.address, 1)).toBe(false);
  });

  it('finds none between the same message, other rounds, other heights and other validators', () => {
    const watch = new VoteWatch();
    const messages = [
      cast.prepare(a, 0, block.hash),
      cast.prepare(a, 0, block.hash),
      cast.prepare(a, 1, OTHER_DIGEST),
      cast.prepare(a, 0, OTHER_DIGEST, 2),
      cast.prepare(b, 0, OTHER_DIGEST),
    ];
    expect(messages.map((message) => watch.observe(message, OPEN))).toEqual(messages.map(() => undefined));
  });

  it('compares messages of heights that were decided lately, and forgets older ones', () => {
    const watch = new VoteWatch();
    watch.observe(cast.prepare(a, 0, block.hash), OPEN);
    watch.endHeight(9);
    expect(watch.observe(cast.prepare(a, 0, OTHER_DIGEST), 9)).toMatchObject({ height: 1 });
    watch.endHeight(10);
    expect(watch.observe(cast.prepare(b, 0, block.hash), 10)).toBeUndefined();
    expect(watch.observe(cast.prepare(b, 0, OTHER_DIGEST), 10)).toBeUndefined();
  });

  it('remembers a bounded number of rounds', () => {
    const watch = new VoteWatch();
    for (let round = 0; round < 1_000; round++) watch.observe(cast.prepare(a, round, block.hash), OPEN);
    expect(watch.observe(cast.prepare(a, 0, OTHER_DIGEST), OPEN)).toBeDefined();
    expect(watch.observe(cast.prepare(a, 999, OTHER_DIGEST), OPEN)).toBeUndefined();
  });

  it('knows which validators were heard from at the open height and above', () => {
    const watch = new VoteWatch();
    watch.observe(cast.prepare(a, 0, block.hash), OPEN);
    watch.observe(cast.prepare(b, 0, block.hash, 3), OPEN);
    expect(watch.heard(1)).toEqual(new Set([a.address, b.address]));
    expect(watch.heard(2)).toEqual(new Set([b.address]));
  });
});
