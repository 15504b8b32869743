const DEFAULT_SEED = 20_140;
const HIGHEST_SEED = 2 ** 31;

/**
 * The seed of random choices in tests: the same in every run, so that a failing run fails again. TETRAD_TEST_SEED
 * selects another integer, or `random` (CONTRIBUTING.md), to search for more failures.
 * @throws RangeError when it is anything else
 */
export function testSeed(asked: string | undefined = process.env['TETRAD_TEST_SEED']): number {
  if (asked === undefined || asked === '') return DEFAULT_SEED;
  if (asked === 'random') return Math.floor(Math.random() * HIGHEST_SEED);
  const seed = Number(asked);
  if (!Number.isInteger(seed) || Math.abs(seed) > HIGHEST_SEED)
    throw new RangeError(
      `TETRAD_TEST_SEED must be an integer of at most 31 bits or "random", not "${asked}"`,
    );
  return seed;
}

/** Whether TETRAD_TEST_SEED asks for a search: tests that repeat the same choices in usual runs make all of them. */
export const isSearch = (): boolean => (process.env['TETRAD_TEST_SEED'] ?? '') !== '';

/** Numbers in [0, 1) that are the same for the same seed (mulberry32, public domain). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
