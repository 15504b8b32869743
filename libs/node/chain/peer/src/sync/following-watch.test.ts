import { describe, expect, it } from '@jest/globals';
import { hashFromBytes, parseAddress } from '@tetrad/types';
import { FollowingWatch, type Standing } from './following-watch.js';
import { newestHead, type HeadClaim } from './newest-head.js';

const hash = hashFromBytes(new Uint8Array(32));
const addressOf = (index: number) => parseAddress(`0x${String(index).padStart(40, '0')}`);
const validators = [0, 1, 2, 3, 4, 5, 6].map(addressOf);
const claim = (index: number, number?: number): HeadClaim => ({
  address: addressOf(index),
  head: number === undefined ? undefined : { number, hash },
});

describe('the newest head that peers vouch for', () => {
  it.each<[string, readonly HeadClaim[], number, number | undefined]>([
    ['no peer', [], 4, undefined],
    ['a peer without a head', [claim(1)], 4, undefined],
    ['one peer', [claim(1, 90)], 2, 90],
    ['two validators beside this one', [claim(1, 90), claim(2, 40)], 3, 90],
    ['three, of which one lies', [claim(1, 90), claim(2, 1_000_000), claim(3, 91)], 4, 91],
    ['three, of which one is far behind', [claim(1, 90), claim(2, 3), claim(3, 91)], 4, 90],
    [
      'six, of which two lie',
      [claim(1, 90), claim(2, 9e9), claim(3, 8e9), claim(4, 91), claim(5, 90), claim(6, 89)],
      7,
      91,
    ],
    ['a validator, and followers that are behind', [claim(1, 90), claim(8, 5), claim(9, 5)], 2, 90],
    ['a validator, and a follower that lies', [claim(1, 90), claim(8, 9e9)], 2, 90],
    ['followers alone, of which one lies', [claim(7, 90), claim(8, 9e9), claim(9, 89)], 4, 90],
  ])('%s', (_, claims, size, expected) => {
    expect(newestHead(claims, validators.slice(0, size))).toBe(expected);
  });
});

describe('following', () => {
  let now = 0;
  let standing: Standing;
  const clock = { now: () => now };
  const watch = (first: Standing) => {
    now = 0;
    standing = first;
    return new FollowingWatch({ clock, maxBlocksBehind: 8, standing: () => standing });
  };
  const connected = { known: 3, connected: 3, head: 100, newest: 100 };

  it('allows as many blocks as may be missing, and names the rest', () => {
    const following = watch({ ...connected, newest: 108 });
    expect(following.lag()).toBeUndefined();
    standing = { ...connected, newest: 109 };
    expect(following.lag()).toBe('at block 100, 9 blocks behind its peers');
    standing = { ...connected, newest: 40 };
    expect(following.lag()).toBeUndefined();
  });

  it('waits for a first connection, for a bounded time', () => {
    const following = watch({ ...connected, connected: 0, newest: undefined });
    const reason = 'connected to no other node, of 3 that are known';
    expect(following.isolation()).toEqual({ isStarting: true, reason });
    expect(following.lag()).toBeUndefined();
    now = 30_000;
    expect(following.isolation()).toEqual({ isStarting: false, reason });
    standing = connected;
    expect(following.isolation()).toBeUndefined();
  });

  it('does not take a lost connection for a start, nor miss peers where there are none', () => {
    const following = watch(connected);
    expect(following.isolation()).toBeUndefined();
    standing = { ...connected, connected: 0, newest: undefined };
    expect(following.isolation()).toMatchObject({ isStarting: false });
    expect(watch({ ...connected, known: 0, connected: 0 }).isolation()).toBeUndefined();
  });
});
