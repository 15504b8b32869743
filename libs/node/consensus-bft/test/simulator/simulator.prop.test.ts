import { describe, expect, it } from '@jest/globals';
import { simulate } from './simulation.js';

/** `./tetrad bench consensus-simulator` asks for more. */
const SEEDS = Number(process.env['TETRAD_SIMULATOR_SEEDS'] ?? 200);
const FIRST = Number(process.env['TETRAD_SIMULATOR_FIRST_SEED'] ?? 1);
const GROUP = 20;

const groups = Array.from({ length: Math.ceil(SEEDS / GROUP) }, (_, index) => FIRST + index * GROUP);

/** Each of them showed a fault once: validators alone in rounds of their own (1515), or cut off by others (357; docs/adr/0056). */
const TELLING_SEEDS = [1515, 357];

describe('validators in a hostile network', () => {
  it.each(TELLING_SEEDS)('do what they once did not (seed %i)', async (seed) => {
    expect(await simulate(seed)).toMatchObject({ violations: [] });
  });

  it.each(groups)(
    'agree, sign nothing twice and go on once it is repaired (20 seeds from %i)',
    async (first) => {
      for (let seed = first; seed < Math.min(first + GROUP, FIRST + SEEDS); seed++) {
        const { violations } = await simulate(seed);
        expect({ seed, violations }).toEqual({ seed, violations: [] });
      }
    },
    600_000,
  );
});
