import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Admitting, type Arrival } from './admit-operations.js';
import { maxOfAccount, maxRegistrations } from './queue-share.js';

const NOTHING = { operations: 0, accounts: 0, registrations: 0 };
const fresh = (accountId: number | undefined): Arrival => ({
  accountId,
  isKnown: false,
  isAgain: false,
  replaces: false,
  places: 1,
});
const quotaOf = (operations: number) => ({ operations, windowMs: 1_000 });
const empty = (bounds: { readonly maxPending: number; readonly quota?: ReturnType<typeof quotaOf> }) =>
  new Admitting({ quota: undefined, ...bounds }, NOTHING, { used: new Map(), pending: new Map() }, 500);

describe('what is admitted', () => {
  it('never fills more places than there are, in whatever order accounts ask', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 4, max: 200 }),
        fc.array(fc.oneof(fc.constant(undefined), fc.integer({ min: 1, max: 60 })), { maxLength: 600 }),
        (maxPending, asking) => {
          const admitting = empty({ maxPending });
          for (const accountId of asking) admitting.admit(fresh(accountId));
          expect(admitting.level.operations).toBeLessThanOrEqual(maxPending);
          expect(admitting.level.registrations).toBeLessThanOrEqual(maxRegistrations(maxPending));
        },
      ),
    );
  });

  it('has a place for an account with nothing waiting until accounts have the last quarter', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 8, max: 400 }),
        fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 1_000 }),
        (maxPending, asking) => {
          const attackers = Math.ceil(maxPending / 4) - 1;
          const admitting = empty({ maxPending });
          for (const one of asking) admitting.admit(fresh(1 + (one % attackers)));
          expect(admitting.admit(fresh(1_000))).toBeUndefined();
        },
      ),
    );
  });

  it('is shared equally between half and three quarters', () => {
    const admitting = empty({ maxPending: 80 });
    const admitted = (accountId: number) => {
      let count = 0;
      while (admitting.admit(fresh(accountId)) === undefined) count += 1;
      return count;
    };
    // The first one has the half, and then no more than its share of it.
    expect([admitted(1), admitted(2), admitted(3), admitted(4)]).toEqual([40, 13, 7, 1]);
    expect(admitting.admit(fresh(1))).toEqual({ refused: 'QUEUE_FULL', maxPending: 80 });
  });

  it('counts what is new for its account alone, and refuses beyond the quota until the window ends', () => {
    const admitting = empty({ maxPending: 1_000, quota: quotaOf(2) });
    const again = { ...fresh(7), isAgain: true };
    const known = { ...fresh(7), isKnown: true };
    const asked = [fresh(7), again, known, { ...fresh(7), replaces: true }, again, known, fresh(8)];
    expect(asked.map((one) => admitting.admit(one))).toEqual(asked.map(() => undefined));
    expect(admitting.admit(fresh(7))).toEqual({
      refused: 'QUOTA_EXCEEDED',
      quota: quotaOf(2),
      retryAfterMs: 500,
    });
    expect(admitting.admit({ ...fresh(7), replaces: true })).toMatchObject({ refused: 'QUOTA_EXCEEDED' });
    expect([again, known, fresh(8), fresh(undefined)].map((one) => admitting.admit(one)?.refused)).toEqual(
      [undefined, undefined, undefined, undefined], // prettier-ignore
    );
  });

  it('counts an operation that may take two places as two', () => {
    const admitting = empty({ maxPending: 1_000, quota: quotaOf(3) });
    const twice = { ...fresh(7), places: 2 };
    expect([twice, twice, twice].map((one) => admitting.admit(one)?.refused)).toEqual([
      undefined,
      undefined,
      'QUOTA_EXCEEDED',
    ]);
  });

  it('is a replacement also when the queue is full, since it adds nothing', () => {
    const level = { operations: 16, accounts: 16, registrations: 0 };
    const counts = { used: new Map<number, number>(), pending: new Map([[7, 1]]) };
    const admitting = new Admitting({ maxPending: 16, quota: undefined }, level, counts, 0);
    expect(admitting.admit(fresh(7))).toMatchObject({ refused: 'QUEUE_FULL' });
    expect(admitting.admit({ ...fresh(7), replaces: true })).toBeUndefined();
    expect(admitting.level).toEqual(level);
    expect(maxOfAccount(level, 16)).toBe(0);
  });
});
