import { describe, expect, it } from '@jest/globals';
import { decodeIbftExtraData, encodeIbftExtraData } from './ibft-extra-data.js';

const seal = (length: number) => new Uint8Array(length).fill(7);
const extra = {
  vanity: new Uint8Array(32),
  validators: [],
  proposerSeal: seal(65),
  committedSeals: [seal(65), seal(65)],
};

/** Scenario I40 of the reference. */
describe('seals in a header of the older format', () => {
  it('of 65 bytes are stored as they are', () => {
    expect(decodeIbftExtraData(encodeIbftExtraData(extra))).toEqual(extra);
  });

  it.each([0, 64, 66])('of %i bytes do not commit', (length) => {
    const committedSeals = [seal(65), seal(length)];
    expect(() => encodeIbftExtraData({ ...extra, committedSeals })).toThrow('invalid committed seals');
  });

  it.each([1, 64, 66, 130])('of %i bytes are not a proposer’s', (length) => {
    expect(() => encodeIbftExtraData({ ...extra, proposerSeal: seal(length) })).toThrow('invalid signature');
  });
});
