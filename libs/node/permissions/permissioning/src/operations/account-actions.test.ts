import { describe, expect, it } from '@jest/globals';
import { ZERO_ADDRESS, type Address } from '@tetrad/types';
import {
  ADMIN,
  BANK_ADMIN,
  DENYLISTED,
  NOTHING,
  OTHER_ADMIN,
  RECOVERING,
  STRANGER,
  SUB_ADMIN,
  SUSPENDED,
  TELLER,
  pendingItem,
} from '../../test/bank-network.js';
import { outcomeOf } from '../../test/outcome-of.js';
import {
  approveAccountRecovery,
  approveAdminRole,
  assignAdminRole,
  assignRole,
  recoverAccount,
  updateAccountStatus,
} from './account-actions.js';

const busy = pendingItem('v2', { operation: 2, orgId: 'BANK' });

describe('the role of an account', () => {
  it.each([
    [ZERO_ADDRESS, 'GHOST', 'ORGADMIN', STRANGER, 'INVALID_INPUT'],
    [TELLER, 'GHOST', 'ORGADMIN', STRANGER, 'INVALID_ROLE'],
    [TELLER, 'GHOST', 'NWADMIN', STRANGER, 'INVALID_ROLE'],
    [TELLER, 'GHOST', 'NONE', STRANGER, 'ORG_NOT_FOUND'],
    [TELLER, 'FULL', 'NONE', BANK_ADMIN, 'NOT_ORG_ADMIN'],
    [TELLER, 'FULL', 'NONE', OTHER_ADMIN, 'INVALID_ROLE'],
    [OTHER_ADMIN, 'BANK', 'GONE', BANK_ADMIN, 'INVALID_ROLE'],
    // A role that only the sub-organization has, and one that only its master has.
    [STRANGER, 'BANK.SUB', 'LOCAL', BANK_ADMIN, 'INVALID_ROLE'],
    [STRANGER, 'BANK.SUB', 'SPARE', BANK_ADMIN, 'INVALID_ROLE'],
    [OTHER_ADMIN, 'BANK', 'TELLER', BANK_ADMIN, 'ACCOUNT_IN_USE'],
    [TELLER, 'BANK.SUB', 'TELLER', BANK_ADMIN, 'ACCOUNT_IN_USE'],
    [STRANGER, 'BANK.SUB', 'TELLER', SUB_ADMIN, 'allowed'],
    [TELLER, 'BANK', 'SPARE', BANK_ADMIN, 'allowed'],
  ])('%s in %s as %s, by %s: %s', async (account, orgId, roleId, caller, outcome) => {
    expect(await outcomeOf(assignRole(caller, { orgId, account, roleId }))).toBe(outcome);
  });
});

describe('an admin role', () => {
  it.each([
    ['GHOST', ZERO_ADDRESS, 'TELLER', STRANGER, 'INVALID_INPUT'],
    ['GHOST', TELLER, 'TELLER', STRANGER, 'OPERATION_NOT_ALLOWED'],
    ['GHOST', TELLER, 'ORGADMIN', BANK_ADMIN, 'NOT_NETWORK_ADMIN'],
    ['GHOST', TELLER, 'ORGADMIN', ADMIN, 'ORG_NOT_FOUND'],
    ['FULL', TELLER, 'ORGADMIN', ADMIN, 'ACCOUNT_IN_USE'],
    ['BANK', BANK_ADMIN, 'ORGADMIN', ADMIN, 'ACCOUNT_ALREADY_ORG_ADMIN'],
    ['NETWORK', ADMIN, 'NWADMIN', ADMIN, 'ACCOUNT_ALREADY_ORG_ADMIN'],
    ['BANK', TELLER, 'ORGADMIN', ADMIN, 'allowed'],
    ['NETWORK', STRANGER, 'NWADMIN', ADMIN, 'allowed'],
  ])('in %s for %s as %s, by %s: %s', async (orgId, account, roleId, caller, outcome) => {
    expect(await outcomeOf(assignAdminRole(caller, { orgId, account, roleId }), { pending: busy })).toBe(
      outcome,
    );
  });

  it('is voted on for the proposed account and organization', async () => {
    const pending = pendingItem('v2', { operation: 4, orgId: 'BANK', account: TELLER });
    const checked = (caller: Address, orgId: string, account: Address) =>
      outcomeOf(approveAdminRole(caller, { orgId, account }), { pending });
    expect(await checked(BANK_ADMIN, 'GHOST', STRANGER)).toBe('NOT_NETWORK_ADMIN');
    expect(await checked(ADMIN, 'GHOST', STRANGER)).toBe('INVALID_ACCOUNT');
    expect(await checked(ADMIN, 'BANK', SUSPENDED)).toBe('NOTHING_TO_APPROVE');
    expect(await checked(ADMIN, 'FULL', TELLER)).toBe('NOTHING_TO_APPROVE');
    expect(await checked(ADMIN, 'BANK', TELLER)).toBe('allowed');
  });
});

describe('the status of an account', () => {
  it.each([
    ['GHOST', STRANGER, 9, STRANGER, 'ORG_NOT_FOUND'],
    ['BANK', STRANGER, 9, ADMIN, 'NOT_ORG_ADMIN'],
    ['BANK', STRANGER, 9, BANK_ADMIN, 'ACCOUNT_NOT_FOUND'],
    ['BANK', OTHER_ADMIN, 1, BANK_ADMIN, 'OPERATION_NOT_ALLOWED'],
    ['BANK', BANK_ADMIN, 3, BANK_ADMIN, 'OPERATION_NOT_ALLOWED'],
    ['BANK.SUB', DENYLISTED, 9, BANK_ADMIN, 'ACCOUNT_ORG_MISMATCH'],
    ['BANK', DENYLISTED, 9, BANK_ADMIN, 'OPERATION_NOT_ALLOWED'],
    ['BANK', TELLER, 0, BANK_ADMIN, 'OPERATION_NOT_ALLOWED'],
    ['BANK', DENYLISTED, 2, BANK_ADMIN, 'ACCOUNT_DENYLISTED'],
    ['BANK', SUSPENDED, 1, BANK_ADMIN, 'OPERATION_NOT_ALLOWED'],
    ['BANK', TELLER, 2, BANK_ADMIN, 'OPERATION_NOT_ALLOWED'],
    ['BANK', RECOVERING, 3, BANK_ADMIN, 'OPERATION_NOT_ALLOWED'],
    ['BANK', TELLER, 1, BANK_ADMIN, 'allowed'],
    ['BANK', SUSPENDED, 2, BANK_ADMIN, 'allowed'],
    ['BANK', SUSPENDED, 3, BANK_ADMIN, 'allowed'],
    // An admin by an ordinary role, who was not voted for.
    ['BANK.SUB', SUB_ADMIN, 1, BANK_ADMIN, 'allowed'],
  ])('in %s of %s, action %d by %s: %s', async (orgId, account, action, caller, outcome) => {
    expect(await outcomeOf(updateAccountStatus(caller, { orgId, account, action }))).toBe(outcome);
  });
});

describe('the recovery of an account', () => {
  it.each([
    ['GHOST', STRANGER, BANK_ADMIN, NOTHING, 'NOT_NETWORK_ADMIN'],
    ['GHOST', STRANGER, ADMIN, busy, 'ACCOUNT_NOT_FOUND'],
    ['FULL', DENYLISTED, ADMIN, busy, 'ACCOUNT_ORG_MISMATCH'],
    ['BANK', TELLER, ADMIN, busy, 'OPERATION_NOT_ALLOWED'],
    ['BANK', RECOVERING, ADMIN, busy, 'OPERATION_NOT_ALLOWED'],
    ['BANK', DENYLISTED, ADMIN, busy, 'PENDING_APPROVALS'],
    ['BANK', DENYLISTED, ADMIN, NOTHING, 'allowed'],
  ])('in %s of %s, by %s: %s', async (orgId, account, caller, pending, outcome) => {
    expect(await outcomeOf(recoverAccount(caller, { orgId, account }), { pending })).toBe(outcome);
  });

  it.each([
    ['GHOST', STRANGER, BANK_ADMIN, 'NOT_NETWORK_ADMIN'],
    ['GHOST', STRANGER, ADMIN, 'ACCOUNT_NOT_FOUND'],
    ['FULL', RECOVERING, ADMIN, 'ACCOUNT_ORG_MISMATCH'],
    ['BANK', DENYLISTED, ADMIN, 'ACCOUNT_DENYLISTED'],
    ['BANK', TELLER, ADMIN, 'OPERATION_NOT_ALLOWED'],
    ['BANK', RECOVERING, ADMIN, 'allowed'],
  ])('is voted on in %s for %s, by %s: %s', async (orgId, account, caller, outcome) => {
    const pending = pendingItem('v2', { operation: 6, orgId: 'BANK', account: RECOVERING });
    expect(await outcomeOf(approveAccountRecovery(caller, { orgId, account }), { pending })).toBe(outcome);
  });

  it('cannot be approved while another item is pending', async () => {
    const vote = approveAccountRecovery(ADMIN, { orgId: 'BANK', account: RECOVERING });
    expect(await outcomeOf(vote, { pending: busy })).toBe('NOTHING_TO_APPROVE');
  });
});
