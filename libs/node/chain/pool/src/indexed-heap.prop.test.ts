import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { IndexedHeap } from './indexed-heap.js';

it('the first item is the best in the heap, after any changes', () => {
  const move = fc.record({ item: fc.nat(9), rank: fc.nat(20), leaves: fc.boolean() });
  fc.assert(
    fc.property(fc.array(move, { maxLength: 100 }), (moves) => {
      const items = Array.from({ length: 10 }, () => ({ rank: 0 }));
      const heap = new IndexedHeap<{ rank: number }>((a, b) => a.rank > b.rank);
      const inside = new Set<{ rank: number }>();
      for (const { item: index, rank, leaves } of moves) {
        const item = items[index] as { rank: number };
        if (leaves) expect(heap.delete(item)).toBe(inside.delete(item));
        else {
          item.rank = rank;
          heap.update(item);
          inside.add(item);
        }
        const best = inside.size === 0 ? undefined : Math.max(...[...inside].map((one) => one.rank));
        expect(heap.first?.rank).toBe(best);
      }
    }),
  );
});
