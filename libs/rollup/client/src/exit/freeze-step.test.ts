import { describe, expect, it } from '@jest/globals';
import { nextFreezeStep, type Dues } from './freeze-step.js';

const NOTICE = 100;
const idle: Dues = {
  now: 1_000,
  isFrozen: false,
  announcementSeconds: NOTICE,
  request: undefined,
  deposits: [],
};
const none = { canRequest: false, isWaiting: false };
const some = { canRequest: true, isWaiting: false };
const open = (overdueAt: number, announcedAt?: number) => ({ overdueAt, announcedAt });
const queued = (index: number, overdueAt: number, announcedAt?: number) => ({
  index,
  ...open(overdueAt, announcedAt),
});

describe('the next step of an exit from a contract that freezes', () => {
  it('withdraws from a frozen contract, whatever was asked for', () => {
    expect(nextFreezeStep({ ...idle, isFrozen: true }, none)).toEqual({ do: 'withdraw' });
    const late = { ...idle, isFrozen: true, request: open(1, 1), deposits: [queued(0, 1, 1)] };
    expect(nextFreezeStep(late, some)).toEqual({ do: 'withdraw' });
  });

  it('ends when nothing is left, although others wait', () => {
    expect(nextFreezeStep(idle, none)).toEqual({ do: 'end' });
    expect(nextFreezeStep({ ...idle, deposits: [queued(0, 1)] }, none)).toEqual({ do: 'end' });
  });

  it('asks for an operation, also in place of what is open', () => {
    expect(nextFreezeStep(idle, some)).toEqual({ do: 'request' });
    expect(nextFreezeStep({ ...idle, request: open(9_000) }, some)).toEqual({ do: 'request' });
    const waiting = { do: 'wait', until: 9_000, next: 8_900 };
    expect(nextFreezeStep({ ...idle, request: open(9_000) }, none)).toEqual(waiting);
  });

  it('announces as soon as that is accepted, the request or a deposit', () => {
    const request = { do: 'announce', by: 'request' };
    expect(nextFreezeStep({ ...idle, request: open(1_101) }, none).do).toBe('wait');
    expect(nextFreezeStep({ ...idle, request: open(1_100) }, none)).toEqual(request);
    const deposits = [queued(3, 1_100), queued(7, 5_000)];
    const both = { ...idle, request: open(5_000), deposits };
    expect(nextFreezeStep(both, none)).toEqual({ do: 'announce', by: { deposit: 3 } });
  });

  it('freezes as soon as what was announced is overdue, before it announces more', () => {
    const frozen = { do: 'freeze', by: 'request' };
    expect(nextFreezeStep({ ...idle, request: open(1_000, 900) }, none)).toEqual(frozen);
    const deposits = [queued(3, 500), queued(7, 990, 900)];
    expect(nextFreezeStep({ ...idle, deposits }, some)).toEqual({ do: 'freeze', by: { deposit: 7 } });
    // Announced late, after the chain stood still.
    const late = { ...idle, request: open(200, 950) };
    expect(nextFreezeStep(late, none)).toEqual({ do: 'wait', until: 1_050, next: 1_050 });
  });

  it('waits for what is first', () => {
    const both = { ...idle, request: open(5_000, 4), deposits: [queued(0, 3_000)] };
    expect(nextFreezeStep(both, none)).toEqual({ do: 'wait', until: 3_000, next: 2_900 });
  });

  it('waits for a deposit of its own that no batch has taken', () => {
    const waiting = { ...none, isWaiting: true };
    const step = nextFreezeStep({ ...idle, deposits: [queued(0, 2_000)] }, waiting);
    expect(step).toEqual({ do: 'wait', until: 2_000, next: 1_900 });
    expect(nextFreezeStep(idle, waiting)).toEqual({ do: 'wait', until: 1_000, next: 1_000 });
  });
});
