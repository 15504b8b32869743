import { describe, expect, it } from '@jest/globals';
import { seededRandom } from '@tetrad/testkit';
import { FIRST_PARTS, FIRST_SEED, SCENARIOS, compareAt, comparePart, precompiles } from './compare-part.js';
import { runOwn, type Disturbance } from './own-run.js';
import { scenarioOf } from './random-world.js';

/**
 * Seeds at which both disagreed, decided by the published rules. Creations of Frontier that cannot pay for their code
 * (EIP-2), and init codes that are too long where the gas does not suffice either (EIP-3860): in words alone. The last one:
 * a creation that reverts with data that begin with 0xEF keeps its gas (EIP-3541), see `correctCreations`.
 */
const DECIDED_SEEDS = [1_002_858, 1_001_291, 1_002_398, 1_004_283, 1_009_807, 1_013_578, 100_605_319];

describe('the interpreter', () => {
  it.each(FIRST_PARTS)(
    'agrees with EthereumJS in gas, output, failure, refund, logs, access sets and state: part %i',
    comparePart,
  );

  it.each(DECIDED_SEEDS)('agrees at seeds whose differences were resolved: seed %i', compareAt);

  const disturbances: readonly (readonly [string, Disturbance])[] = [
    ['when everything must be fetched first', { cold: true }],
    ['in slices of a few opcodes', { sliceGas: 7 }],
    ['in slices while everything must be fetched first', { cold: true, sliceGas: 900 }],
    ['opcode by opcode under a listener', { listener: { step: () => undefined } }],
    ['opcode by opcode, in slices, with fetching', { listener: {}, cold: true, sliceGas: 40 }],
  ];

  it.each(disturbances)('does the same %s', async (_name, disturbance) => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + Math.min(SCENARIOS, 400); seed++) {
      const scenario = scenarioOf(seededRandom(seed));
      const disturbed = await runOwn(scenario, precompiles, disturbance);
      expect({ seed, ...disturbed }).toEqual({ seed, ...(await runOwn(scenario, precompiles)) });
    }
  });
});
