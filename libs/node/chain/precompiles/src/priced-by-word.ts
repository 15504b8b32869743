import { createHash } from 'node:crypto';
import type { Precompile } from './precompile.js';

/** Gas of a base and a price for each 32 bytes begun. Source: Yellow Paper, appendix E. */
function gasByWord(base: number, word: number): (input: Uint8Array) => number {
  return (input) => base + word * Math.ceil(input.length / 32);
}

/** SHA-256 of the input (32). Source: Yellow Paper, appendix E. */
export const sha256: Precompile = {
  gas: gasByWord(60, 12),
  run: (input) => createHash('sha256').update(input).digest(),
};

/** RIPEMD-160 of the input in the low bytes of a word (32). Source: Yellow Paper, appendix E. */
export const ripemd160: Precompile = {
  gas: gasByWord(600, 120),
  run(input) {
    const output = new Uint8Array(32);
    output.set(createHash('ripemd160').update(input).digest(), 12);
    return output;
  },
};

/** The input. Source: Yellow Paper, appendix E. */
export const identity: Precompile = {
  gas: gasByWord(15, 3),
  run: (input) => input.slice(),
};
