/** @jest-environment-options {"ownSources": true} */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Surroundings } from '../../src/silence.js';
import type { LostDatabaseScenario } from './lost-database.js';

const SEEDS = [1, 2, 3];
const SILENCE = '../../src/silence.js';

const LIES: Record<string, Pick<LostDatabaseScenario, 'fault' | 'strangers' | 'claim'>> = {
  'no lies': { fault: undefined, strangers: 0, claim: (_, height) => height },
  'a stranger that claims a far head': { fault: undefined, strangers: 1, claim: () => 1_000_000 },
  'many strangers that take turns': { fault: undefined, strangers: 20, claim: (second) => 40 + 10 * second },
  'faulty validators that claim more each second': {
    fault: 'votes',
    strangers: 0,
    claim: (second, height) => height + second,
  },
  'faulty validators that claim a block more than there is, and strangers': {
    fault: 'absent',
    strangers: 3,
    claim: (_, height) => height + 1,
  },
  'faulty validators that claim nothing, and strangers that claim much': {
    fault: 'votes',
    strangers: 3,
    claim: (second) => (second % 2 === 0 ? 0 : 9_999),
  },
  'faulty validators that are heard and do not vote': {
    fault: 'pretends',
    strangers: 1,
    claim: () => 1_000_000,
  },
};

beforeEach(() => void jest.resetModules());
afterEach(() => void jest.unstable_unmockModule(SILENCE));

function scenario(seed: number, lie: keyof typeof LIES): LostDatabaseScenario {
  const validators = seed % 2 === 0 ? 7 : 4;
  return { seed, validators, format: seed % 3 === 0 ? 'ibft' : 'qbft', ...LIES[lie] } as LostDatabaseScenario;
}

async function runs(lie: keyof typeof LIES, seeds = SEEDS) {
  const { LostDatabase } = await import('./lost-database.js');
  const results = [];
  for (const seed of seeds) results.push(await new LostDatabase(scenario(seed, lie)).run());
  return results;
}

describe('a validator that lost its database', () => {
  it.each(Object.keys(LIES))('signs again, and nothing twice, among %s', async (lie) => {
    for (const result of await runs(lie)) expect(result).toEqual({ violations: [], signs: true });
  });
});

/** Puts a silence in place of the real one, for all that is imported from now on. */
async function replaceSilence(change: (surroundings: Surroundings) => Surroundings | 'over'): Promise<void> {
  const real = await import('../../src/silence.js');
  jest.resetModules();
  jest.unstable_mockModule(SILENCE, () => ({
    Silence: class extends real.Silence {
      override consider(surroundings: Surroundings) {
        const changed = change(surroundings);
        return changed === 'over' ? ({ isOver: true, why: 'followed' } as const) : super.consider(changed);
      }
    },
  }));
}

describe('the simulation finds a validator', () => {
  it('that signs at once', async () => {
    await replaceSilence(() => 'over');
    const results = await runs('no lies');
    expect(results.flatMap(({ violations }) => violations).join()).toMatch(/ said .*, then /);
  });

  it('that believes a stranger while blocks come', async () => {
    // Each block seems to be of the past.
    await replaceSilence((surroundings) => ({
      ...surroundings,
      headTimeMs: surroundings.nowMs + surroundings.head * 10_000,
    }));
    expect(await runs('a stranger that claims a far head', [1])).toEqual([{ violations: [], signs: false }]);
  });

  it('that waits for ever for validators that are heard', async () => {
    await replaceSilence((surroundings) => ({ ...surroundings, longestRoundMs: Number.MAX_SAFE_INTEGER }));
    const [result] = await runs('faulty validators that are heard and do not vote', [1]);
    expect(result).toEqual({ violations: [], signs: false });
  });
});
