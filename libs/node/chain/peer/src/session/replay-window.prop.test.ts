import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { REPLAY_WINDOW, ReplayWindow } from './session.js';

it('accepts every counter at most once, and each that is not too old', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(4 * REPLAY_WINDOW), { maxLength: 400 }), (counters) => {
      const window = new ReplayWindow();
      const seen = new Set<number>();
      let newest = -1;
      for (const counter of counters) {
        const isNew = window.isNew(counter);
        expect(isNew).toBe(!seen.has(counter) && counter > newest - REPLAY_WINDOW);
        if (!isNew) continue;
        window.remember(counter);
        seen.add(counter);
        newest = Math.max(newest, counter);
      }
    }),
  );
});
