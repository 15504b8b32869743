import { describe, expect, it } from '@jest/globals';
import { ByteBudget, SharedBudget } from './byte-budget.js';

describe('the part of a port', () => {
  it('leaves room for other ports, and is taken of the whole', () => {
    const whole = new ByteBudget(100);
    const part = whole.part(50);
    expect([part.take(40), part.take(20), whole.take(60), part.take(10)]).toEqual([true, false, true, false]);
    expect([part.used, part.left]).toEqual([100, 10]);
    part.give(40);
    expect([whole.used, part.left]).toEqual([60, 50]);
  });
});

describe('a budget that senders share', () => {
  it('gives one sender no more than is left to others', () => {
    const budget = new SharedBudget(new ByteBudget(100), 10);
    const takeAll = (sender: string) => {
      let bytes = 0;
      while (budget.take(1, sender)) bytes += 1;
      return bytes;
    };
    expect(takeAll('stranger')).toBe(50);
    expect(takeAll('peer')).toBe(25);
    expect(takeAll('another')).toBe(12);
    budget.give(50, 'stranger');
    expect(takeAll('peer')).toBeGreaterThan(0);
  });

  it('gives each sender one request while there is room', () => {
    const budget = new SharedBudget(new ByteBudget(100), 60);
    expect([budget.take(60, 'one'), budget.take(1, 'one'), budget.take(40, 'other')]).toEqual([
      true,
      false,
      true,
    ]);
    expect([budget.take(1, 'third'), budget.used]).toEqual([false, 100]);
    budget.give(60, 'one');
    expect(budget.take(60, 'third')).toBe(true);
  });
});
