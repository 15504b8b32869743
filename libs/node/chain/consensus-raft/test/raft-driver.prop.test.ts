import { describe, expect, it } from '@jest/globals';
import { testSeed } from '@tetrad/testkit';
import { RaftSimulation } from './simulator/raft-simulation.js';

const RUNS = 60;

describe('three or five nodes whose blocks a log orders, in virtual time', () => {
  it(`agree on one whole chain after ${RUNS} runs of crashes, cuts, losses, delays and compactions`, async () => {
    const seeds = Array.from({ length: RUNS }, (_, index) => testSeed() + index);
    const totals = { height: 0, crashes: 0, minters: 0 };
    for (const seed of seeds) {
      // Some prune as they go.
      const pruning = seed % 3 === 0 ? { logLimits: { keptBlocks: 3, blocksBetween: 2 } } : {};
      const { violations, ...result } = await new RaftSimulation({
        seed,
        voters: seed % 2 === 0 ? 3 : 5,
        ...pruning,
      }).run();
      expect({ seed, violations }).toEqual({ seed, violations: [] });
      totals.height += result.height;
      totals.crashes += result.crashes;
      totals.minters += result.minters;
    }
    // Runs in which nothing happened would prove nothing.
    expect(totals.height).toBeGreaterThan(RUNS * 10);
    expect(totals.crashes).toBeGreaterThan(RUNS);
    expect(totals.minters).toBeGreaterThan(RUNS);
  });
});
