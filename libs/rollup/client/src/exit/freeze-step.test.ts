import { describe, expect, it } from '@jest/globals';
import { nextFreezeStep, type Dues } from './freeze-step.js';

const idle: Dues = { now: 1_000, isFrozen: false, requestDue: undefined, depositDue: undefined };
const none = { canRequest: false, isWaiting: false };
const some = { canRequest: true, isWaiting: false };

describe('the next step of an exit from a contract that freezes', () => {
  it('withdraws from a frozen contract, whatever was asked for', () => {
    expect(nextFreezeStep({ ...idle, isFrozen: true }, none)).toEqual({ do: 'withdraw' });
    const late = { ...idle, isFrozen: true, requestDue: 1, depositDue: 1 };
    expect(nextFreezeStep(late, some)).toEqual({ do: 'withdraw' });
  });

  it('ends when nothing is left, although others wait', () => {
    expect(nextFreezeStep(idle, none)).toEqual({ do: 'end' });
    expect(nextFreezeStep({ ...idle, depositDue: 1 }, none)).toEqual({ do: 'end' });
  });

  it('asks for one operation at a time', () => {
    expect(nextFreezeStep(idle, some)).toEqual({ do: 'request' });
    expect(nextFreezeStep({ ...idle, requestDue: 1_001 }, some)).toEqual({ do: 'wait', until: 1_001 });
  });

  it('freezes as soon as the request is overdue, or the deposit of another', () => {
    expect(nextFreezeStep({ ...idle, requestDue: 1_000 }, none)).toEqual({ do: 'freeze', by: 'request' });
    const deposit = { ...idle, requestDue: 5_000, depositDue: 1_000 };
    expect(nextFreezeStep(deposit, none)).toEqual({ do: 'freeze', by: 'deposit' });
    expect(nextFreezeStep({ ...idle, depositDue: 999 }, some)).toEqual({ do: 'freeze', by: 'deposit' });
  });

  it('waits for what is due first', () => {
    const both = { ...idle, requestDue: 5_000, depositDue: 3_000 };
    expect(nextFreezeStep(both, none)).toEqual({ do: 'wait', until: 3_000 });
  });

  it('waits for a deposit of its own that no batch has taken', () => {
    const waiting = { ...none, isWaiting: true };
    expect(nextFreezeStep({ ...idle, depositDue: 2_000 }, waiting)).toEqual({ do: 'wait', until: 2_000 });
    expect(nextFreezeStep(idle, waiting)).toEqual({ do: 'wait', until: 1_000 });
  });
});
