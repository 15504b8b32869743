import { expect } from '@jest/globals';
import { FORK_NAMES } from '../../src/index.js';
import { EthereumjsPrecompiles } from '../ethereumjs-precompiles.js';
import { differenceAt } from './difference-at.js';

/** A scenario has three programs, and those that they deploy: 21,000 programs and more. `bench evm-fuzz` runs others. */
export const SCENARIOS = Number(process.env['TETRAD_FUZZ_SCENARIOS'] ?? 7_000);
export const FIRST_SEED = Number(process.env['TETRAD_FUZZ_FIRST_SEED'] ?? 1);
/** In two test files, which two workers run side by side. */
const PARTS = 8;
export const FIRST_PARTS = [0, 1, 2, 3];
export const OTHER_PARTS = [4, 5, 6, 7];

export const precompiles = await EthereumjsPrecompiles.load(FORK_NAMES);

/** Every eighth scenario, from that of the part on, executed by EthereumJS too. */
export async function comparePart(part: number): Promise<void> {
  for (let seed = FIRST_SEED + part; seed < FIRST_SEED + SCENARIOS; seed += PARTS) {
    await compareAt(seed);
  }
}

/** The scenario of one seed, executed by EthereumJS too. */
export async function compareAt(seed: number): Promise<void> {
  expect(await differenceAt(seed, precompiles)).toBeUndefined();
}
