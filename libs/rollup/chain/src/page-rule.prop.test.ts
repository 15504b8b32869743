import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nextPageBlocks, nextRange } from './page-rule.js';

describe('pages of blocks', () => {
  it('hold every block that has enough successors once, whatever the head and the page do', () => {
    const heads = fc.array(fc.record({ grows: fc.nat(50), answers: fc.boolean() }), { maxLength: 40 });
    fc.assert(
      fc.property(fc.nat(5), fc.nat(20), heads, (confirmations, first, steps) => {
        let [after, head, pageBlocks] = [first - 1, first, 16];
        for (const { grows, answers } of steps) {
          head += grows;
          const range = nextRange(after, head, { confirmations, pageBlocks });
          pageBlocks = nextPageBlocks(pageBlocks, answers, 16);
          expect(pageBlocks).toBeGreaterThanOrEqual(1);
          expect(pageBlocks).toBeLessThanOrEqual(16);
          if (range === undefined) {
            expect(head - confirmations).toBeLessThanOrEqual(after);
            continue;
          }
          expect(range.from).toBe(after + 1);
          expect(range.to).toBeGreaterThanOrEqual(range.from);
          expect(range.to).toBeLessThanOrEqual(head - confirmations);
          expect(range.to - range.from).toBeLessThan(16);
          if (answers) after = range.to;
        }
      }),
    );
  });
});
