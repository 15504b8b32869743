import { createHash } from 'node:crypto';
import { gasByWord } from './gas-by-word.js';
import type { Precompile } from './precompile.js';

/** SHA-256 of the input (32). Source: Yellow Paper, appendix E. */
export const sha256: Precompile = {
  gas: gasByWord(60, 12),
  run: (input) => createHash('sha256').update(input).digest(),
};
