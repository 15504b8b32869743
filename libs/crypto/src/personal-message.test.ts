import { describe, expect, it } from '@jest/globals';
import { hexFromBytes } from '@tetrad/types';
import { keccak256 } from './keccak.js';
import { personalMessageDigest, personalMessagePreimage } from './personal-message.js';

describe('a personal message', () => {
  it('is prefixed with the count of its bytes, not of its characters', () => {
    const message = new TextEncoder().encode('é€');
    const preimage = Buffer.from(personalMessagePreimage(message));
    expect(preimage.toString('utf8')).toBe('\u0019Ethereum Signed Message:\n5é€');
    expect(personalMessageDigest(message)).toEqual(keccak256(preimage));
  });

  // The digest that ethers, web3 and eth_sign of every client have for it.
  it('has the digest of EIP-191, version 0x45', () => {
    expect(hexFromBytes(personalMessageDigest(new TextEncoder().encode('hello world')))).toBe(
      '0xd9eba16ed0ecae432b71fe008c98cc872bb4cc214d3220a36f365326cf807d68',
    );
  });
});
