import { describe, expect, it } from '@jest/globals';
import { context, rejection, transaction } from '../../test/pool-entries.js';
import { wellFormed } from './well-formed.js';

describe('a transaction', () => {
  it('is accepted when its gas covers the intrinsic gas', () => {
    expect(rejection(() => wellFormed.check(transaction(), context()))).toBe('accepted');
  });

  it.each([
    [
      'INTRINSIC_GAS_TOO_LOW',
      'intrinsic gas too low: gas 20999, minimum needed 21000',
      { gasLimit: 20_999n },
    ],
    [
      'INIT_CODE_TOO_LARGE',
      'max initcode size exceeded: code size 131073, limit 131072',
      { to: undefined, dataBytes: 131_073, gasLimit: 9_000_000n },
    ],
  ])('is refused as %s', (reason, message, changes) => {
    expect(rejection(() => wellFormed.check(transaction(changes), context()))).toEqual([reason, message]);
  });

  it('is refused before its type exists', () => {
    const typed = transaction({ fees: { type: 'accessList', gasPrice: 0n, accessList: [] } });
    expect(rejection(() => wellFormed.check(typed, context({}, false)))).toEqual([
      'TYPE_NOT_ACTIVE',
      'transaction type not supported',
    ]);
    expect(rejection(() => wellFormed.check({ ...typed, gasLimit: 30_000n }, context()))).toBe('accepted');
  });
});
