import { describe, expect, it } from '@jest/globals';
import { bytesFromHex, hexFromBytes, parseAddress } from '@tetrad/types';
import { decodeIbftExtraData, encodeIbftExtraData } from './ibft-extra-data.js';
import { decodeQbftExtraData, encodeQbftExtraData } from './qbft-extra-data.js';
import { LIST_OF_V, NO_SEAL, V, VANITY } from '../test/cast/reference-validators.js';

const hex = (bytes: Uint8Array) => hexFromBytes(bytes).slice(2);

describe('extra data', () => {
  it('1: IBFT, prepared', () => {
    const extra = encodeIbftExtraData({
      vanity: VANITY,
      validators: V,
      proposerSeal: NO_SEAL,
      committedSeals: [],
    });
    expect(hex(extra)).toBe(`${'00'.repeat(32)}f858f854${LIST_OF_V}80c0`);
    expect(decodeIbftExtraData(extra)).toEqual({
      vanity: VANITY,
      validators: V,
      proposerSeal: NO_SEAL,
      committedSeals: [],
    });
    // Of longer vanity the first 32 bytes are kept; shorter is padded.
    const long = { vanity: new Uint8Array(32 + 15), validators: V, proposerSeal: NO_SEAL };
    for (const vanity of [long.vanity, NO_SEAL, new Uint8Array(31)])
      expect(hex(encodeIbftExtraData({ ...long, vanity, committedSeals: [] }))).toBe(hex(extra));
  });

  it('3: QBFT, prepared', () => {
    const extra = encodeQbftExtraData({ vanity: VANITY, validators: V, round: 0, committedSeals: [] });
    expect(hex(extra)).toBe(`f87aa0${'00'.repeat(32)}f854${LIST_OF_V}c080c0`);
    expect(decodeQbftExtraData(extra)).toEqual({
      vanity: VANITY,
      validators: V,
      round: 0,
      committedSeals: [],
    });
  });

  it('4: QBFT, empty vanity and round 5', () => {
    const extra = encodeQbftExtraData({ vanity: NO_SEAL, validators: V, round: 5, committedSeals: [] });
    expect(hex(extra)).toBe(`f85a80f854${LIST_OF_V}c005c0`);
    expect(decodeQbftExtraData(extra)).toEqual({
      vanity: NO_SEAL,
      validators: V,
      round: 5,
      committedSeals: [],
    });
  });

  it('5: QBFT, full', () => {
    const text =
      'f8f0a00102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20ea940000000000000000000000000000000000000001940000000000000000000000000000000000000002d794000000000000000000000000000000000000000181ff83fedcbaf886b8410000000000000000000000000000000000000000000000000000000000000001000000000000000000000000000000000000000000000000000000000000000a00b841000000000000000000000000000000000000000000000000000000000000000a000000000000000000000000000000000000000000000000000000000000000100';
    const [one, two] = [1, 2].map((last) => parseAddress(`0x${'00'.repeat(19)}0${last}`));
    const word = (value: number) => value.toString(16).padStart(64, '0');
    const full = {
      vanity: Uint8Array.from({ length: 32 }, (_, index) => index + 1),
      validators: [one, two] as never,
      vote: { recipient: one as never, isAdd: true },
      round: 0xfedcba,
      committedSeals: [
        [1, 10],
        [10, 1],
      ].map(([r = 0, s = 0]) => bytesFromHex(`0x${word(r)}${word(s)}00`)),
    };
    expect(hex(encodeQbftExtraData(full))).toBe(text);
    const decoded = decodeQbftExtraData(bytesFromHex(`0x${text}`));
    expect({ ...decoded, committedSeals: decoded.committedSeals.map(hex) }).toEqual({
      ...full,
      committedSeals: full.committedSeals.map(hex),
    });
    expect(hex(encodeQbftExtraData(decoded))).toBe(text);
  });

  it('6: a seal of another length is refused', () => {
    const long = encodeQbftExtraData({
      vanity: VANITY,
      validators: V,
      round: 0,
      committedSeals: [new Uint8Array(66)],
    });
    expect(() => decodeQbftExtraData(long)).toThrow('invalid extra data format');
    const wrong = { vanity: VANITY, validators: V, proposerSeal: new Uint8Array(64), committedSeals: [] };
    expect(() => encodeIbftExtraData(wrong)).toThrow('invalid signature');
    expect(() => decodeIbftExtraData(new Uint8Array(31))).toThrow('invalid istanbul header extra-data');
  });

  it('of a genesis file may hold a seal of 65 zeros, as the documentation’s samples do (IBFT)', () => {
    const zeros = { vanity: VANITY, validators: V, proposerSeal: new Uint8Array(65), committedSeals: [] };
    const text = `${'00'.repeat(32)}f89af854${LIST_OF_V}b841${'00'.repeat(65)}c0`;
    expect(hex(encodeIbftExtraData(zeros))).toBe(text);
    expect(decodeIbftExtraData(bytesFromHex(`0x${text}`))).toEqual(zeros);
  });

  it('encodes a vote to drop as 0x80', () => {
    const vote = { recipient: V[0] as (typeof V)[0], isAdd: false };
    const extra = encodeQbftExtraData({ vanity: VANITY, validators: [], vote, round: 0, committedSeals: [] });
    expect(hex(extra)).toContain(`d694${V[0]?.slice(2)}80`);
    expect(decodeQbftExtraData(extra).vote).toEqual(vote);
  });
});
