import { createHash } from 'node:crypto';
import { gasByWord } from './gas-by-word.js';
import type { Precompile } from './precompile.js';

/** RIPEMD-160 of the input in the low bytes of a word (32). Source: Yellow Paper, appendix E. */
export const ripemd160: Precompile = {
  gas: gasByWord(600, 120),
  run(input) {
    const output = new Uint8Array(32);
    output.set(createHash('ripemd160').update(input).digest(), 12);
    return output;
  },
};
