import { describe, expect, it } from '@jest/globals';
import { parseHash, type Hash } from '@tetrad/types';
import fc from 'fast-check';
import { FlatOverlay, mergeFlatWrites } from './flat-overlay.js';
import type { FlatWrite } from './flat-state-rows.js';

const rootOf = (number: number): Hash => parseHash(`0x${number.toString(16).padStart(64, '0')}`);

/** Few accounts and slots, so that changes meet. */
const address = fc.integer({ min: 1, max: 3 }).map((byte) => Buffer.alloc(20, byte));
const key = fc
  .tuple(address, fc.integer({ min: 0, max: 3 }))
  .map(([own, slot]) => (slot === 0 ? own : Buffer.concat([own, Buffer.alloc(32, slot)])));
const value = fc.uint8Array({ minLength: 1, maxLength: 3 });
const changes = fc.record({
  cleared: fc.array(address, { maxLength: 2 }),
  removed: fc.array(key, { maxLength: 3 }),
  put: fc.array(fc.record({ key, value }), { maxLength: 4 }),
});
type Changes = Pick<FlatWrite, 'cleared' | 'removed' | 'put'>;

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** The rows as PostgreSQL has them after the writes, one after the other. */
function applyTo(rows: Map<string, string>, { cleared, removed, put }: Changes): void {
  for (const prefix of cleared)
    for (const known of [...rows.keys()]) if (known.startsWith(hex(prefix))) rows.delete(known);
  for (const one of removed) rows.delete(hex(one));
  for (const one of put) rows.set(hex(one.key), hex(one.value));
}

describe('changes of several blocks to the flat state', () => {
  it('lead to the same rows when they are merged, with each key once', () => {
    fc.assert(
      fc.property(changes, fc.array(changes, { minLength: 1, maxLength: 6 }), (before, steps) => {
        const [one, other] = [new Map<string, string>(), new Map<string, string>()];
        for (const rows of [one, other]) applyTo(rows, before);
        const writes = steps.map((step, at) => ({
          parentRoot: rootOf(at),
          stateRoot: rootOf(at + 1),
          ...step,
        }));
        for (const write of writes) applyTo(one, write);
        const merged = mergeFlatWrites(writes) as FlatWrite;
        applyTo(other, merged);
        expect(other).toEqual(one);
        expect([merged.parentRoot, merged.stateRoot]).toEqual([rootOf(0), rootOf(steps.length)]);
        const keys = merged.put.map((row) => hex(row.key));
        if (steps.length > 1) expect(new Set(keys).size).toBe(keys.length);
      }),
    );
  });

  it('are found by key, removed or not, over the rows that are stored', () => {
    fc.assert(
      fc.property(changes, fc.array(changes, { maxLength: 6 }), fc.array(key), (before, steps, asked) => {
        const [stored, all] = [new Map<string, string>(), new Map<string, string>()];
        for (const rows of [stored, all]) applyTo(rows, before);
        const overlay = new FlatOverlay();
        for (const step of steps) {
          overlay.apply(step);
          applyTo(all, step);
        }
        for (const one of asked) {
          const own = overlay.find(one);
          const found = own === undefined ? stored.get(hex(one)) : own === null ? undefined : hex(own);
          expect(found).toBe(all.get(hex(one)));
        }
      }),
    );
  });
});
