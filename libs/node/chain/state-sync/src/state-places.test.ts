import { describe, expect, it } from '@jest/globals';
import { accountsOf, placeAfterSlot, slotsOf } from './state-places.js';
import { FIRST_KEY, LAST_KEY } from './trie-keys.js';

const key = (value: number) => Buffer.concat([Buffer.alloc(31, 7), Buffer.of(value)]);
const slotOf = (account: number, slot: number) => Buffer.concat([key(account), key(slot)]);

describe('places of a state', () => {
  it('are in the order of bytes: an account, its slots, the next account', () => {
    const places = [key(1), slotOf(1, 1), slotOf(1, 2), key(2)];
    expect([...places].reverse().sort((one, other) => Buffer.compare(one, other))).toEqual(places);
  });

  it('between slots of two accounts are parts of both and all between', () => {
    const span = { from: slotOf(1, 4), end: slotOf(3, 9) };
    expect(accountsOf(span)).toEqual({ from: key(1), end: key(4) });
    expect(slotsOf(span, key(1))).toMatchObject({ from: key(4), end: undefined, hasAccount: false });
    const all = { from: FIRST_KEY, end: undefined, hasAccount: true, isWhole: true };
    expect(slotsOf(span, key(2))).toEqual(all);
    expect(slotsOf(span, key(3))).toEqual({ from: FIRST_KEY, end: key(9), hasAccount: true, isWhole: false });
  });

  it('between slots of one account are slots of it alone', () => {
    const span = { from: slotOf(1, 4), end: slotOf(1, 9) };
    expect(accountsOf(span)).toEqual({ from: key(1), end: key(2) });
    expect(slotsOf(span, key(1))).toEqual({ from: key(4), end: key(9), hasAccount: false, isWhole: false });
  });

  it('end after the last account and the last slot that there may be', () => {
    const last = Buffer.concat([LAST_KEY, key(1)]);
    expect(accountsOf({ from: key(1), end: last })).toEqual({ from: key(1), end: undefined });
    expect(placeAfterSlot(key(1), LAST_KEY)).toBeUndefined();
    expect(placeAfterSlot(key(1), key(1))).toEqual(slotOf(1, 2));
  });
});
