import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { InboundBudget } from './inbound-budget.js';

const limits = { bytes: 300, bytesPerPeer: 150, concurrentPerPeer: 3 };
const step = fc.oneof(
  fc.record({ owner: fc.constantFrom('a', 'b', 'c'), length: fc.nat(120) }),
  fc.record({ release: fc.nat() }),
);

describe('the budget for bodies', () => {
  it('never exceeds the limits, and is released completely', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const budget = new InboundBudget(limits);
        const held: { owner: string; length: number; release: () => void }[] = [];
        const used = (owner?: string) => held.filter((one) => owner === undefined || one.owner === owner);
        const bytesOf = (owner?: string) => used(owner).reduce((sum, { length }) => sum + length, 0);
        for (const one of steps) {
          if ('release' in one) {
            const [victim] = held.splice(one.release % Math.max(1, held.length), 1);
            victim?.release();
            victim?.release();
            continue;
          }
          const { owner, length } = one;
          const fits = used(owner).length < 3 && bytesOf(owner) + length <= 150 && bytesOf() + length <= 300;
          const release = budget.reserve(owner, length);
          expect(release !== undefined).toBe(fits);
          if (release !== undefined) held.push({ owner, length, release });
          expect(budget.reservedBytes).toBe(bytesOf());
        }
        for (const { release } of held) release();
        expect(budget.reservedBytes).toBe(0);
      }),
    );
  });
});
