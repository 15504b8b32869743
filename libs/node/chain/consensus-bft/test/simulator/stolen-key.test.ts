import { describe, expect, it } from '@jest/globals';
import type { StolenKind } from './scenario.js';
import { Simulation } from './simulation.js';
import { CALM } from './simulated-network.js';

const KINDS: readonly (readonly StolenKind[])[] = [
  ['roundChange'],
  ['prepare'],
  ['commit'],
  ['prepare', 'commit', 'roundChange'],
];
const CASES = ([2, 4, 7] as const).flatMap((validators) =>
  (['qbft', 'ibft'] as const).flatMap((format) => KINDS.map((kinds) => ({ validators, format, kinds }))),
);

/** The seeds differ in who gets which flood. */
const SEEDS = [1, 2];

describe('validators of whom another process has the key of one', () => {
  it.each(CASES)('$validators of $format go on after it sent $kinds of far rounds', async (one) => {
    for (const seed of SEEDS) {
      const result = await new Simulation({
        ...one,
        seed,
        policy: 'roundRobin',
        network: CALM,
        relays: false,
        isRing: false,
        adversaries: new Map(),
        stolen: { number: 0, kinds: one.kinds },
        crashOnPersist: 0,
        crashEveryMs: 0,
        partitionEveryMs: 0,
        healsAfterMs: 3_000,
      }).run();
      expect({ seed, violations: result.violations }).toEqual({ seed, violations: [] });
    }
  });
});
