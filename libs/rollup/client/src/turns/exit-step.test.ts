import { describe, expect, it } from '@jest/globals';
import { nextExitStep, type SeenBatch } from './exit-step.js';

const times = { overdueAt: 1000, expiresAt: 2000 };
const batch = (...transfers: SeenBatch['transfers']): SeenBatch => ({ redeemed: [], transfers });
const requested = { tokenId: 0, amount: 5n, times };
const missing = { tokenId: 1, amount: 6n, times: undefined };

describe('the next step of an exit', () => {
  it('ends when nothing is planned', () => {
    expect(nextExitStep([], 0)).toEqual({ do: 'end' });
  });

  it('requests all that will leave before it waits', () => {
    const plan = [batch(requested), batch(missing)];
    expect(nextExitStep(plan, 0)).toMatchObject({ do: 'request', transfer: { tokenId: 1, amount: 6n } });
    expect(nextExitStep([batch(requested)], 0)).toEqual({ do: 'wait', until: 1000 });
  });

  it('submits a batch with an overdue request, and does not wait for others', () => {
    const plan = [batch(requested, missing), batch(missing)];
    expect(nextExitStep(plan, 999)).toMatchObject({ do: 'request' });
    expect(nextExitStep(plan, 1000)).toEqual({ do: 'submit', batch: plan[0] });
    expect(nextExitStep(plan, 1999)).toEqual({ do: 'submit', batch: plan[0] });
  });

  it('requests again what is expired', () => {
    expect(nextExitStep([batch(requested)], 2000)).toMatchObject({ do: 'request', transfer: { amount: 5n } });
  });
});
