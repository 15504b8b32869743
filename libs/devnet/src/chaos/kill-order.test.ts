import { describe, expect, it } from '@jest/globals';
import { seededRandom } from '@tetrad/testkit';
import { KillOrder } from './kill-order.js';

const KINDS = ['node', 'manager', 'service', 'PostgreSQL'];

function draw(seed: number, count: number): (string | undefined)[] {
  const killOrder = new KillOrder(KINDS, seededRandom(seed));
  return Array.from({ length: count }, () => killOrder.next());
}

describe('the order of kills', () => {
  it('hits every kind once before it hits one again', () => {
    const kills = draw(7, 40);
    for (let at = 0; at < kills.length; at += KINDS.length)
      expect(new Set(kills.slice(at, at + KINDS.length))).toEqual(new Set(KINDS));
  });

  it('depends on the seed only', () => {
    expect(draw(7, 40)).toEqual(draw(7, 40));
    expect(draw(8, 40)).not.toEqual(draw(7, 40));
  });
});
