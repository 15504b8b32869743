import { describe, expect, it } from '@jest/globals';
import { seededRandom } from '@tetrad/testkit';
import { KillDeck } from './kill-deck.js';

const KINDS = ['node', 'manager', 'service', 'PostgreSQL'];

function draw(seed: number, count: number): (string | undefined)[] {
  const deck = new KillDeck(KINDS, seededRandom(seed));
  return Array.from({ length: count }, () => deck.next());
}

describe('the order of kills', () => {
  it('hits every kind once before it hits one again', () => {
    const kills = draw(7, 40);
    for (let at = 0; at < kills.length; at += KINDS.length)
      expect(new Set(kills.slice(at, at + KINDS.length))).toEqual(new Set(KINDS));
  });

  it('is that of its seed', () => {
    expect(draw(7, 40)).toEqual(draw(7, 40));
    expect(draw(8, 40)).not.toEqual(draw(7, 40));
  });
});
