import { describe, expect, it } from '@jest/globals';
import { parsePtmKey } from '@tetrad/types';
import { payloadHash } from './payload-hash.js';
import { RecentParties, type KnownParties } from './recent-parties.js';

const KEY = parsePtmKey(Buffer.alloc(32, 1).toString('base64'));
const hashOf = (seed: number) => {
  const bytes = Buffer.alloc(64);
  bytes.writeUInt32BE(seed);
  return payloadHash(bytes);
};
const partiesOf = (count: number): KnownParties => ({
  sender: KEY,
  managedParties: [],
  participants: Array.from({ length: count }, () => KEY),
  privacyFlag: 0,
});

describe('parties of the last payloads', () => {
  it('are found until later ones take their place', () => {
    const recent = new RecentParties();
    for (let seed = 0; seed <= 10_000; seed++) recent.add(hashOf(seed), partiesOf(1));
    expect(recent.find(hashOf(0))).toBeUndefined();
    expect(recent.find(hashOf(1))).toEqual(partiesOf(1));
    expect(recent.find(hashOf(10_000))).toEqual(partiesOf(1));
  });

  it('are bounded by their keys too', () => {
    const recent = new RecentParties();
    for (let seed = 0; seed < 101; seed++) recent.add(hashOf(seed), partiesOf(1_000));
    expect(recent.find(hashOf(0))).toBeUndefined();
    expect(recent.find(hashOf(1))).toBeDefined();
    // The same one again takes no more room.
    for (let time = 0; time < 200; time++) recent.add(hashOf(100), partiesOf(1_000));
    expect(recent.find(hashOf(1))).toBeDefined();
  });
});
