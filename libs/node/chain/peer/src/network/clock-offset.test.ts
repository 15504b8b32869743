import { describe, expect, it } from '@jest/globals';
import { parseAddress } from '@tetrad/types';
import { PeerClock } from '../peers/peer-clock.js';
import { clockOffset } from './clock-offset.js';

const address = (index: number) => parseAddress(`0x${String(index).padStart(40, '0')}`);
const claims = (...offsets: (number | undefined)[]) =>
  offsets.map((offsetMs, index) => ({ address: address(index + 1), offsetMs }));
const VALIDATORS = [1, 2, 3, 4].map(address);

describe('the offset of this host to its peers', () => {
  it('is the median of all clocks, its own among them', () => {
    expect(clockOffset(claims(30_000, 30_100, 29_900), VALIDATORS)).toBe(29_900);
    expect(clockOffset(claims(-30_000, -30_100, -29_900), VALIDATORS)).toBe(-29_900);
    expect(clockOffset(claims(30_000, 30_000), VALIDATORS)).toBe(30_000);
  });

  it('is not moved by as many false clocks as are fewer than half', () => {
    expect(clockOffset(claims(0, 500_000, 1), VALIDATORS)).toBe(0);
    expect(clockOffset(claims(10, -500_000, -500_000, 20, 15), VALIDATORS)).toBe(0);
  });

  it('blames neither of two nodes, nor this one when it knows no peer', () => {
    expect(clockOffset(claims(30_000), VALIDATORS)).toBe(0);
    expect(clockOffset([], VALIDATORS)).toBe(0);
    expect(clockOffset(claims(undefined, undefined), VALIDATORS)).toBe(0);
  });

  it('is not moved by nodes that are not validators, however many, where validators are known', () => {
    const strangers = Array.from({ length: 50 }, (_, index) => ({
      address: address(100 + index),
      offsetMs: 90_000,
    }));
    expect(clockOffset([...claims(0, 1), ...strangers], VALIDATORS)).toBe(0);
    expect(clockOffset(strangers, VALIDATORS)).toBe(90_000);
  });
});

describe('the clock of a peer', () => {
  it('is read best from the message that took the least time', () => {
    const clock = new PeerClock();
    for (const offset of [-900, -3, -4_000, -250]) clock.note(offset, 1_000);
    expect(clock.offsetMs(1_000)).toBe(-3);
    for (let reading = 0; reading < 4; reading++) clock.note(-7_000, 2_000);
    expect(clock.offsetMs(2_000)).toBe(-7_000);
  });

  it('is unknown before the first reading, and when the last was long ago', () => {
    const clock = new PeerClock();
    expect(clock.offsetMs(0)).toBeUndefined();
    clock.note(5, 0);
    expect(clock.offsetMs(300_000)).toBe(5);
    expect(clock.offsetMs(300_001)).toBeUndefined();
  });
});
