import { describe, expect, it } from '@jest/globals';
import { AccountAccess } from './account-access.js';

describe('the accounts of a token', () => {
  it('are all without a claim, those of the list with one, and none with an empty list', () => {
    const seen = (claim: unknown) => [1, 4, 9].filter((id) => AccountAccess.ofClaim(claim).covers(id));
    expect([seen(undefined), seen([4, 9]), seen([])]).toEqual([[1, 4, 9], [4, 9], []]);
    expect(AccountAccess.ofClaim([4, 9, 4]).accountIds).toEqual([4, 9]);
    expect(AccountAccess.ofClaim(undefined).accountIds).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['an id alone', 4],
    ['a text', '4'],
    ['an object', {}],
    ['a text in a list', [4, '5']],
    ['null in a list', [4, null]],
    ['the external account', [0]],
    ['an id below it', [-1]],
    ['a fraction', [1.5]],
    ['an id beyond the last', [2 ** 28]],
    ['too many ids', Array.from({ length: 1_001 }, () => 4)],
  ])('are none, and not all, with %s', (_, claim) => {
    expect(() => AccountAccess.ofClaim(claim)).toThrow('must be a list of at most 1000 account ids');
  });

  it('name the parameter of an account that is not theirs', () => {
    const access = AccountAccess.ofClaim([4]);
    expect(() => access.assertCovers('toAccountId', 4)).not.toThrow();
    expect(() => access.assertCovers('toAccountId', 5)).toThrow(
      'toAccountId: the token is not for account 5',
    );
    expect(() => access.assertUnbound('publicKey')).toThrow('publicKey: a token that is bound to accounts');
    expect(() => AccountAccess.all.assertUnbound('publicKey')).not.toThrow();
  });
});
