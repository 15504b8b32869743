import { describe, expect, it } from '@jest/globals';
import { FairOrder } from './fair-order.js';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const NOTHING = { requests: [], deposits: [], accepted: [], registrations: [] };
const ALL = { ...NOTHING, requests: numbers(9), deposits: numbers(9), accepted: numbers(9) };

describe('the order of requests, deposits and what was accepted', () => {
  const rates = { requests: 21_000, deposits: 10_000, accepted: 0.25 };

  it('gives each its part while all wait, also when there is one place at a time', () => {
    const order = new FairOrder();
    const had = { request: 0, deposit: 0, accepted: 0 };
    for (let turn = 0; turn < 12_400; turn += 1)
      for (const next of order.next(ALL, { rates, places: 1 }))
        had[Object.keys(next)[0] as keyof typeof had] += 1;
    expect(Math.abs(had.accepted - 3_100)).toBeLessThanOrEqual(1);
    expect(Math.abs(had.deposit - 3_000)).toBeLessThanOrEqual(1);
    expect(Math.abs(had.request - 6_300)).toBeLessThanOrEqual(1);
  });

  it('keeps the order of each, and leaves out none', () => {
    const waiting = { ...NOTHING, requests: numbers(40), deposits: numbers(30), accepted: numbers(50) };
    const ordered = new FairOrder().next(waiting, { rates, places: 1_000 });
    expect(ordered.flatMap((one) => ('request' in one ? [one.request] : []))).toEqual(numbers(40));
    expect(ordered.flatMap((one) => ('deposit' in one ? [one.deposit] : []))).toEqual(numbers(30));
    expect(ordered.flatMap((one) => ('accepted' in one ? [one.accepted] : []))).toEqual(numbers(50));
  });

  it('gives one what the others do not use', () => {
    const order = new FairOrder();
    expect(order.next({ ...NOTHING, deposits: numbers(5) }, { rates, places: 3 })).toHaveLength(3);
    expect(order.next({ ...NOTHING, requests: numbers(5) }, { rates, places: 9 })).toHaveLength(5);
    expect(order.next({ ...NOTHING, accepted: numbers(5) }, { rates, places: 9 })).toHaveLength(5);
    expect(order.next(NOTHING, { rates, places: 9 })).toEqual([]);
  });

  it('counts places: what takes three of them has a third of the turns, whichever kind it is', () => {
    const order = new FairOrder();
    const taken = { request: 0, deposit: 0, accepted: 0 };
    const placesOf = (one: object) => ('request' in one ? 1 : 3);
    for (let turn = 0; turn < 12_400; turn += 1)
      for (const next of order.next(ALL, { rates, places: 1, placesOf }))
        taken[Object.keys(next)[0] as keyof typeof taken] += placesOf(next);
    const all = taken.request + taken.deposit + taken.accepted;
    expect(Math.abs(taken.accepted / all - 1 / 4)).toBeLessThan(0.001);
    expect(Math.abs(taken.deposit / all - (3 / 4) * (10 / 31))).toBeLessThan(0.001);
    const fitting = new FairOrder().next(
      { ...NOTHING, accepted: numbers(9) },
      { rates, places: 7, placesOf },
    );
    expect(fitting).toHaveLength(3);
  });

  it('gives registrations a quarter of what was accepted, also when there is one place at a time', () => {
    const order = new FairOrder();
    const waiting = { ...NOTHING, accepted: Array<string>(9).fill('operation') };
    const registrations = Array<string>(9).fill('registration');
    const had = numbers(400).flatMap(() =>
      order.next({ ...waiting, registrations }, { rates, places: 1 }).map((one) => Object.values(one)[0]),
    );
    expect(had.filter((one) => one === 'registration')).toHaveLength(100);
    const alone = order.next({ ...NOTHING, registrations }, { rates, places: 5 });
    expect(alone).toEqual(numbers(5).map(() => ({ accepted: 'registration' })));
  });

  it('gives what was accepted its part while registrations alone are of it', () => {
    const order = new FairOrder();
    const waiting = { ...ALL, accepted: [], registrations: numbers(9) };
    const had = numbers(400).flatMap(() => order.next(waiting, { rates, places: 1 }));
    expect(had.filter((one) => 'accepted' in one)).toHaveLength(100);
  });

  it('takes all deposits before what was accepted where that has no part', () => {
    const waiting = { ...NOTHING, deposits: numbers(5), accepted: numbers(5) };
    const ordered = new FairOrder().next(waiting, {
      rates: { requests: 0, deposits: 1, accepted: 0 },
      places: 7,
    });
    expect(ordered.map((one) => 'deposit' in one)).toEqual([true, true, true, true, true, false, false]);
  });
});
