import type { Scenario } from './scenario.js';

const CALM_ENOUGH = { crashOnPersist: 0, partitionEveryMs: 0, validators: 4 } as const;

/** Runs that showed a fault once (docs/adr/0032). */
export const REGRESSION_SCENARIOS: Readonly<Record<string, Scenario>> = {
  'alone in rounds of their own for ever': {
    ...CALM_ENOUGH,
    seed: 1515,
    format: 'ibft',
    policy: 'sticky',
    adversaries: new Map([[3, undefined]]),
    network: { loss: 0, duplication: 0.5, minDelayMs: 1, maxDelayMs: 100 },
    relays: false,
    isRing: false,
    crashEveryMs: 1_500,
    healsAfterMs: 10_700,
  },
  'without the round changes of validators behind one in a later round': {
    ...CALM_ENOUGH,
    seed: 357,
    format: 'qbft',
    policy: 'roundRobin',
    adversaries: new Map([[2, undefined]]),
    network: { loss: 0.02, duplication: 0, minDelayMs: 1, maxDelayMs: 1_200 },
    relays: true,
    isRing: true,
    crashEveryMs: 4_000,
    healsAfterMs: 11_126,
  },
};
