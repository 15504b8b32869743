import { describe, expect, it } from '@jest/globals';
import {
  ADMIN,
  BANK_ADMIN,
  DENYLISTED,
  NODE,
  OTHER_ADMIN,
  POLICY,
  STRANGER,
  SUB_ADMIN,
  SUSPENDED,
  TELLER,
  bankRecords,
} from '../../test/bank-network.js';
import type { PermissionConfig } from '../config/permission-config.js';
import { extensionAdmins } from '../enforcement/extension-admins.js';
import {
  accessAllows,
  accessOf,
  isAdminAccount,
  isNodeApproved,
  isOrgActive,
  maySendThrough,
} from './access.js';

const master = (orgId: string) => ({ orgId, parentOrgId: '', ultimateParent: orgId, level: 1 });
const nodeId = NODE.slice(8, 136);

describe('access under the first model', () => {
  it.each([
    ['a network admin', ADMIN, 3],
    ['an organization admin', BANK_ADMIN, 3],
    ['an account with a role', TELLER, 1],
    ['an account whose role is nowhere', SUB_ADMIN, 0],
    ['a suspended account', SUSPENDED, 0],
    ['a denylisted account', DENYLISTED, 0],
    ['an unknown account', STRANGER, 0],
  ])('of %s', (_who, account, access) => {
    expect(accessOf(bankRecords(), POLICY, account)).toBe(access);
  });

  it('is that of the master’s role where the organization has none of that name', () => {
    const records = bankRecords();
    const account = { orgId: 'BANK.SUB', roleId: 'SPARE', acctId: STRANGER, isOrgAdmin: false, status: 2 };
    records.putAccount(account);
    expect(accessOf(records, POLICY, STRANGER)).toBe(1);
    records.putRole({
      orgId: 'BANK.SUB',
      roleId: 'SPARE',
      access: 2,
      isVoter: false,
      isAdmin: false,
      active: true,
    });
    expect(accessOf(records, POLICY, STRANGER)).toBe(2);
    records.apply({ name: 'RoleRevoked', orgId: 'BANK.SUB', roleId: 'SPARE' });
    expect(accessOf(records, POLICY, STRANGER)).toBe(1);
  });

  it('is lost for all below a suspended organization, and stays while the suspension is only proposed', () => {
    const records = bankRecords();
    records.putAccount({
      orgId: 'BANK.SUB',
      roleId: 'TELLER',
      acctId: STRANGER,
      isOrgAdmin: false,
      status: 2,
    });
    const accesses = () => [TELLER, STRANGER, OTHER_ADMIN].map((one) => accessOf(records, POLICY, one));
    records.apply({ name: 'OrgPendingApproval', ...master('BANK'), status: 3 });
    expect(accesses()).toEqual([1, 1, 3]);
    records.apply({ name: 'OrgSuspended', ...master('BANK') });
    expect(accesses()).toEqual([0, 0, 3]);
    expect(isOrgActive(records, 'BANK.SUB')).toBe(false);
    records.apply({ name: 'OrgPendingApproval', ...master('BANK'), status: 5 });
    expect(accesses()).toEqual([1, 1, 3]);
  });

  it.each([
    [0, false, false],
    [1, true, false],
    [2, true, true],
    [3, true, true],
    [4, false, false],
    [7, false, false],
  ])('%d allows calls: %s, and deployments: %s', (access, calls, deployments) => {
    expect([accessAllows(access, false), accessAllows(access, true)]).toEqual([calls, deployments]);
  });
});

describe('a node', () => {
  it('is approved by its id, and not while it is deactivated', () => {
    const records = bankRecords();
    expect(isNodeApproved(records, nodeId)).toBe(true);
    records.apply({ name: 'NodeDeactivated', orgId: 'BANK', url: NODE });
    expect(isNodeApproved(records, nodeId)).toBe(false);
    expect(isNodeApproved(records, '00'.repeat(64))).toBe(false);
  });

  it('accepts transactions of accounts of its organization tree, and of unknown accounts', () => {
    const records = bankRecords();
    const through = (account: typeof TELLER) => maySendThrough(records, account, nodeId);
    expect([TELLER, SUB_ADMIN, OTHER_ADMIN, STRANGER].map(through)).toEqual([true, true, false, true]);
    records.apply({ name: 'NodeDeactivated', orgId: 'BANK', url: NODE });
    expect([TELLER, STRANGER].map(through)).toEqual([false, true]);
  });
});

describe('admins for extensions of contracts', () => {
  it.each([
    ['a network admin', ADMIN, true],
    ['an organization admin', BANK_ADMIN, true],
    ['an account with a role', TELLER, false],
    ['a suspended account', SUSPENDED, false],
    ['an unknown account', STRANGER, false],
  ])('%s', (_who, account, isAdmin) => {
    expect(isAdminAccount(bankRecords(), POLICY, account)).toBe(isAdmin);
  });

  it('are those with a role of admins too, while it is active', async () => {
    const records = bankRecords();
    const role = { orgId: 'BANK', roleId: 'HEAD', access: 1, isVoter: false, isAdmin: true };
    records.putRole({ ...role, active: true });
    const entry = { orgId: 'BANK.SUB', roleId: 'HEAD', acctId: STRANGER, isOrgAdmin: true, status: 2 };
    records.putAccount(entry);
    expect(isAdminAccount(records, POLICY, STRANGER)).toBe(true);
    const view = { records, config: POLICY as PermissionConfig, isInForce: true };
    expect(await extensionAdmins(view).isAdmin(STRANGER)).toBe(true);
    expect(await extensionAdmins(view).isAdmin(TELLER)).toBe(false);
    expect(await extensionAdmins({ ...view, isInForce: false }).isAdmin(TELLER)).toBe(true);
    expect(await extensionAdmins(undefined).isAdmin(TELLER)).toBe(true);
    records.putRole({ ...role, active: false });
    expect(isAdminAccount(records, POLICY, STRANGER)).toBe(false);
  });
});
