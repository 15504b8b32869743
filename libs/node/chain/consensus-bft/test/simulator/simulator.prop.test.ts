import { describe, expect, it } from '@jest/globals';
import { Simulation, simulate } from './simulation.js';
import { REGRESSION_SCENARIOS } from './regression-scenarios.js';

/** `./tetrad bench consensus-simulator` asks for more. */
const SEEDS = Number(process.env['TETRAD_SIMULATOR_SEEDS'] ?? 60);
const FIRST = Number(process.env['TETRAD_SIMULATOR_FIRST_SEED'] ?? 1);
const GROUP = 20;

const groups = Array.from({ length: Math.ceil(SEEDS / GROUP) }, (_, index) => FIRST + index * GROUP);

describe('validators in a hostile network', () => {
  it.each(Object.entries(REGRESSION_SCENARIOS))('are not left %s', async (_, scenario) => {
    expect(await new Simulation(scenario).run()).toMatchObject({ violations: [] });
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

  it('do so with keys that sign late, differently each time, and sometimes not at all', async () => {
    for (let seed = FIRST; seed < FIRST + GROUP; seed++) {
      const { violations } = await simulate(seed, { elsewhere: { maxDelayMs: 80, fails: 0.1 } });
      expect({ seed, violations }).toEqual({ seed, violations: [] });
    }
  });
});
