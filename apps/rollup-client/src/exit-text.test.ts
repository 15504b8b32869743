import { describe, expect, it } from '@jest/globals';
import type { ExitProgress } from '@tetrad/rollup-client';
import { ZERO_ADDRESS } from '@tetrad/types';
import { exitDescriber, exitJson } from './exit-text.js';

const contract = {
  read: async () => 1n,
  token: async () => ({ id: 0, address: ZERO_ADDRESS, unit: 10n ** 9n }),
};
const GWEI = 10n ** 9n;

describe('the text of a step of an exit', () => {
  it.each<[ExitProgress, string]>([
    [{ kind: 'left', tokenId: 0, amount: 70n }, 'left the rollup: 70 units of token 0 (0.00000007 ether)'],
    [{ kind: 'left', tokenId: 3, amount: 70n }, 'left the rollup: 70 units of token 3'],
    [{ kind: 'withdrawing', what: 'orders', count: 4 }, 'withdrawing 4 orders'],
    [{ kind: 'pending', transactions: 5 }, 'waiting for 5 transactions of the payer from before'],
    [
      { kind: 'dear', price: 25n * GWEI, most: 20n * GWEI },
      'a unit of gas costs 25 gwei: waiting until it is 20 gwei or less (--max-fee-per-gas)',
    ],
  ])('says %j in words', async (progress, text) => {
    const describeStep = await exitDescriber(contract);
    expect(describeStep(progress)).toBe(text);
  });

  it('is a JSON object for programs, with all digits', () => {
    const dear = { kind: 'dear', price: 2n ** 64n, most: 1n } as const;
    expect(exitJson(dear)).toBe('{"kind":"dear","price":"18446744073709551616","most":"1"}');
  });
});
