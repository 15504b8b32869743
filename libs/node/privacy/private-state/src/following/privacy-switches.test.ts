import { describe, expect, it } from '@jest/globals';
import type { Genesis } from '@tetrad/node-execution';
import { everHasPrivacyFlags, privacySwitches } from './privacy-switches.js';

type Switched = Pick<Genesis, 'privacy' | 'consensus'>;

const chain = (privacy: object, transitions: readonly object[] = []): Switched =>
  ({ privacy, consensus: { engine: 'qbft', transitions } }) as unknown as Switched;

describe('privacy switches', () => {
  it('are those of the genesis file from their blocks on', () => {
    const switchesAt = privacySwitches(chain({ enhancementsBlock: 3, precompileBlock: 5 }));
    expect([2, 3, 5].map(switchesAt)).toEqual([
      { enhancements: false, markers: false },
      { enhancements: true, markers: false },
      { enhancements: true, markers: true },
    ]);
  });

  it('follow the last transition before the block', () => {
    const transitions = [
      { block: 2, privacyEnhancements: true },
      { block: 4, privacyEnhancements: false },
    ];
    const switchesAt = privacySwitches(chain({}, transitions));
    expect([1, 2, 3, 4].map((number) => switchesAt(number).enhancements)).toEqual([false, true, true, false]);
  });
});

describe('a chain', () => {
  it.each<[string, boolean, Switched]>([
    ['has privacy flags by its genesis file', true, chain({ enhancementsBlock: 100 })],
    ['has them by a transition', true, chain({}, [{ block: 9, privacyEnhancements: true }])],
    [
      'has none when a transition only turns them off',
      false,
      chain({}, [{ block: 9, privacyEnhancements: false }]),
    ],
    ['has none with markers alone', false, chain({ precompileBlock: 0 })],
  ])('%s', (_case, expected, genesis) => {
    expect(everHasPrivacyFlags(genesis)).toBe(expected);
  });
});
