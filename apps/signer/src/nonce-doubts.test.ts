import { describe, expect, it } from '@jest/globals';
import { parseAddress } from '@tetrad/types';
import { doubtReasons } from './nonce-doubts.js';

const doubt = (index: number, reason: 'jump' | 'set-back') => ({
  account: parseAddress(`0x${index.toString(16).padStart(40, '0')}`),
  isHeldBack: reason === 'jump',
  reason,
  sinceMs: 0,
  lowest: 4096n,
});

describe('accounts whose count is doubted', () => {
  it('are named with the reason and its effect', () => {
    expect(doubtReasons([doubt(1, 'jump'), doubt(2, 'set-back')])).toEqual([
      `0x${'1'.padStart(40, '0')}: the client counts more transactions than the signer can explain (4096); its transactions are held back`,
      `0x${'2'.padStart(40, '0')}: the client counts fewer transactions than it had mined (4096); its transactions may wait to be mined`,
    ]);
  });

  it('are counted where there are many', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => doubt(index, 'jump'));
    expect(doubtReasons(many)).toHaveLength(4);
    expect(doubtReasons(many).at(-1)).toBe('and 997 more accounts');
  });
});
