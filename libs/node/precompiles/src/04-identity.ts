import { gasByWord } from './gas-by-word.js';
import type { Precompile } from './precompile.js';

/** The input. Source: Yellow Paper, appendix E. */
export const identity: Precompile = {
  gas: gasByWord(15, 3),
  run: (input) => input.slice(),
};
