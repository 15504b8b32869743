import { describe, expect, it } from '@jest/globals';
import { keccak256 } from '@tetrad/crypto';
import { hexFromBytes, type Hash } from '@tetrad/types';
import {
  ContradictionError,
  isMaskedCode,
  maskedHash,
  maskedValues,
  type MaskedCode,
} from './masked-code.js';

/** A code of 200 bytes with an immutable at two places, and addresses of a library and of itself. */
const places = { words: { timeout: [10, 100] }, addresses: { this: [1 + 49], Library: [150] } };
const zeros = Uint8Array.from({ length: 200 }, (_, index) => (isMasked(index) ? 0 : index));
const known: MaskedCode = { bytes: 200, hash: hexFromBytes(keccak256(zeros)) as Hash, ...places };

function isMasked(index: number): boolean {
  return [
    [10, 32],
    [100, 32],
    [50, 20],
    [150, 20],
  ].some(([start = 0, length = 0]) => index >= start && index < start + length);
}

/** As a deployment has it. */
function deployed(): Uint8Array {
  const code = Uint8Array.from(zeros);
  for (const start of places.words.timeout) code.set([0, 1, 2], start + 29);
  code.fill(0xaa, 50, 70);
  code.fill(0xbb, 150, 170);
  return code;
}

describe('code that is known but for what a deployment puts into it', () => {
  it('is that of the release, whatever is at its places, and stays as it is', () => {
    const code = deployed();
    expect(isMaskedCode(code, known)).toBe(true);
    expect(code).toEqual(deployed());
    expect(maskedHash(code, known)).toBe(known.hash);
  });

  it('is another one when any byte outside the places differs', () => {
    for (let index = 0; index < known.bytes; index += 1) {
      const code = deployed();
      code[index] = (code[index] ?? 0) ^ 1;
      expect([index, isMaskedCode(code, known)]).toEqual([index, isMasked(index)]);
    }
  });

  it('is another one when bytes are missing or there are more', () => {
    expect(isMaskedCode(deployed().subarray(0, 199), known)).toBe(false);
    expect(isMaskedCode(Uint8Array.of(...deployed(), 0), known)).toBe(false);
    expect(isMaskedCode(new Uint8Array(), known)).toBe(false);
  });

  it('says what the deployment put into it', () => {
    const { words, addresses } = maskedValues(deployed(), known);
    expect([...words]).toEqual([['timeout', 0x102n]]);
    expect([...addresses]).toEqual([
      ['this', `0x${'aa'.repeat(20)}`],
      ['Library', `0x${'bb'.repeat(20)}`],
    ]);
  });

  it('has each value once: two places of an immutable that differ are no work of the compiler', () => {
    for (const start of places.words.timeout) {
      const code = deployed();
      code[start] = 1;
      expect(isMaskedCode(code, known)).toBe(true);
      expect(() => maskedValues(code, known)).toThrow(new ContradictionError('timeout'));
    }
  });
});
