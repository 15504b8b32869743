import { describe, expect, it } from '@jest/globals';
import { ADMIN, BANK_ADMIN, OTHER_ADMIN, STRANGER, SUB_ADMIN } from '../../test/bank-network.js';
import { outcomeOf } from '../../test/outcome-of.js';
import { addRole, removeRole } from './role-actions.js';

describe('a new role', () => {
  it.each([
    ['GHOST', '', 9, STRANGER, 'INVALID_INPUT'],
    ['GHOST', 'TELLER', 9, STRANGER, 'ORG_NOT_FOUND'],
    ['BANK', 'TELLER', 9, ADMIN, 'NOT_ORG_ADMIN'],
    ['BANK', 'TELLER', 9, BANK_ADMIN, 'ROLE_EXISTS'],
    ['BANK', 'GONE', 9, BANK_ADMIN, 'ROLE_EXISTS'],
    ['BANK', 'NEW', 8, BANK_ADMIN, 'INVALID_ACCESS_TYPE'],
    ['BANK', 'NEW', 7, BANK_ADMIN, 'allowed'],
    ['BANK.SUB', 'NEW', 0, SUB_ADMIN, 'allowed'],
  ])('of %s: %s with access %d, by %s: %s', async (orgId, roleId, access, caller, outcome) => {
    const role = addRole(caller, { orgId, roleId, access, isVoter: false, isAdmin: false });
    expect(await outcomeOf(role)).toBe(outcome);
  });

  it('has access up to 3 under the first model', async () => {
    const role = { orgId: 'BANK', roleId: 'NEW', isVoter: false, isAdmin: false };
    const checked = (access: number) => outcomeOf(addRole(BANK_ADMIN, { ...role, access }), { model: 'v1' });
    expect([await checked(3), await checked(4)]).toEqual(['allowed', 'INVALID_ACCESS_TYPE']);
  });
});

describe('the removal of a role', () => {
  it.each([
    ['GHOST', 'ORGADMIN', STRANGER, 'ORG_NOT_FOUND'],
    ['BANK', 'ORGADMIN', OTHER_ADMIN, 'NOT_ORG_ADMIN'],
    ['BANK', 'ORGADMIN', BANK_ADMIN, 'ADMIN_ROLE_NOT_REMOVABLE'],
    ['BANK', 'NWADMIN', BANK_ADMIN, 'ADMIN_ROLE_NOT_REMOVABLE'],
    ['BANK', 'NONE', BANK_ADMIN, 'INVALID_ROLE'],
    ['BANK', 'GONE', BANK_ADMIN, 'ROLE_INACTIVE'],
    ['BANK', 'TELLER', BANK_ADMIN, 'ROLE_HAS_ACCOUNTS'],
    ['BANK', 'SPARE', BANK_ADMIN, 'allowed'],
    // Accounts of the master do not use roles of those below it.
    ['BANK.SUB', 'TELLER', BANK_ADMIN, 'allowed'],
  ])('of %s: %s, by %s: %s', async (orgId, roleId, caller, outcome) => {
    expect(await outcomeOf(removeRole(caller, { orgId, roleId }))).toBe(outcome);
  });
});
