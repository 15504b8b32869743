import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ZERO_ADDRESS } from '@tetrad/types';
import { PermissionClient } from '../../permission-client.js';
import {
  ADMIN,
  GUEST,
  NEWCOMER,
  UNHELD,
  OTHER_ADMIN,
  startPermissioned,
} from '../../permissioned-network.js';

let client: PermissionClient;
beforeAll(async () => {
  client = new PermissionClient(await startPermissioned('v2'));
  await client.done('chainPermission_addSubOrg', ['NETWORK', 'DESK', ''], ADMIN);
  await client.done('chainPermission_addNewRole', ['NETWORK', 'CLERK', 1, false, false], ADMIN);
});
afterAll(() => client.node.stop());

const NOT_NETWORK_ADMIN = 'Operation can be performed by network admin only. Account not a network admin.';
const NOT_ORG_ADMIN = 'Operation can be performed by org admin only. Account not a org admin.';

describe('a role', () => {
  const add = (params: readonly unknown[], from = ADMIN) =>
    client.refused('chainPermission_addNewRole', params, from);
  const remove = (orgId: string, roleId: string, from = ADMIN) =>
    client.refused('chainPermission_removeRole', [orgId, roleId], from);

  it('is created once, with a valid access', async () => {
    expect(await add(['GHOST', '', 9, false, false], UNHELD)).toBe('Invalid account id');
    expect(await add(['GHOST', '', 9, false, false], GUEST)).toBe('Invalid input');
    expect(await add(['GHOST', 'CLERK', 9, false, false], GUEST)).toBe('Org does not exist');
    expect(await add(['NETWORK', 'CLERK', 9, false, false], GUEST)).toBe(NOT_ORG_ADMIN);
    expect(await add(['NETWORK', 'CLERK', 9, false, false])).toBe('Role exist for the org');
    expect(await add(['NETWORK', 'SPARE', 8, false, false])).toBe(
      'failed to execute permissions action: invalid access type given',
    );
    await client.done('chainPermission_addNewRole', ['NETWORK', 'SPARE', 7, true, false], ADMIN);
    const spare = {
      orgId: 'NETWORK',
      roleId: 'SPARE',
      isVoter: true,
      isAdmin: false,
      access: 7,
      active: true,
    };
    expect(JSON.stringify(await client.role('NETWORK', 'SPARE'))).toBe(JSON.stringify(spare));
  });

  it('is removed for good, unless it is in use or of admins', async () => {
    expect(await remove('GHOST', 'NWADMIN', UNHELD)).toBe('Invalid account id');
    expect(await remove('GHOST', 'NWADMIN')).toBe('Org does not exist');
    expect(await remove('NETWORK', 'NWADMIN', GUEST)).toBe(NOT_ORG_ADMIN);
    expect(await remove('NETWORK', 'NWADMIN')).toBe('Admin role cannot be removed');
    expect(await remove('NETWORK', 'ORGADMIN')).toBe('Admin role cannot be removed');
    expect(await remove('NETWORK', 'NONE')).toBe('Invalid role');
    await client.done('chainPermission_removeRole', ['NETWORK', 'SPARE'], OTHER_ADMIN);
    expect(await client.role('NETWORK', 'SPARE')).toMatchObject({ active: false });
    expect(await remove('NETWORK', 'SPARE')).toBe('Role is already inactive');
    expect(await add(['NETWORK', 'SPARE', 1, false, false])).toBe('Role exist for the org');
  });
});

describe('an account', () => {
  const assign = (account: string, orgId: string, roleId: string, from = ADMIN) =>
    client.refused('chainPermission_addAccountToOrg', [account, orgId, roleId], from);

  it('gets a role of its organization', async () => {
    expect(await assign(ZERO_ADDRESS, 'GHOST', 'NWADMIN', UNHELD)).toBe('Invalid account id');
    expect(await assign(ZERO_ADDRESS, 'GHOST', 'NWADMIN', GUEST)).toBe('Invalid input');
    expect(await assign(GUEST, 'GHOST', 'NWADMIN', GUEST)).toBe('Invalid role');
    expect(await assign(GUEST, 'GHOST', 'NONE', GUEST)).toBe('Org does not exist');
    expect(await assign(GUEST, 'NETWORK', 'NONE', GUEST)).toBe(NOT_ORG_ADMIN);
    expect(await assign(GUEST, 'NETWORK', 'SPARE')).toBe('Invalid role');
    // The role of the master is not one of the sub-organization.
    expect(await assign(GUEST, 'NETWORK.DESK', 'CLERK')).toBe('Invalid role');

    const transfer = { from: GUEST, to: ADMIN, value: '0x1' };
    expect(await client.allowed(transfer)).toBe(false);
    await client.done('chainPermission_addAccountToOrg', [GUEST, 'NETWORK', 'CLERK'], ADMIN);
    const clerk = { orgId: 'NETWORK', roleId: 'CLERK', acctId: GUEST, isOrgAdmin: false, status: 2 };
    expect(JSON.stringify(await client.account(GUEST))).toBe(JSON.stringify(clerk));
    expect(await client.allowed(transfer)).toBe(true);
    expect(await client.refused('chainPermission_removeRole', ['NETWORK', 'CLERK'], ADMIN)).toBe(
      'Accounts linked to the role. Cannot be removed',
    );
  });

  it('gets another role, with other permissions', async () => {
    const change = (account: string, orgId: string, roleId: string, from = ADMIN) =>
      client.refused('chainPermission_changeAccountRole', [account, orgId, roleId], from);
    await client.done('chainPermission_addNewRole', ['NETWORK', 'CALLER', 4, false, false], ADMIN);
    await client.done('chainPermission_addNewRole', ['NETWORK.DESK', 'CALLER', 4, false, false], ADMIN);
    expect(await change(GUEST, 'NETWORK', 'CALLER', UNHELD)).toBe('Invalid account id');
    expect(await change(GUEST, 'NETWORK.DESK', 'CALLER')).toBe(
      'Account already in use in another organization',
    );
    await client.done('chainPermission_changeAccountRole', [GUEST, 'NETWORK', 'CALLER'], ADMIN);
    expect(await client.account(GUEST)).toMatchObject({ roleId: 'CALLER', status: 2 });
    expect(await client.allowed({ from: GUEST, to: ADMIN, value: '0x1' })).toBe(false);
    expect(await client.allowed({ from: GUEST, to: ADMIN, data: '0x1234' })).toBe(true);
    expect(await client.allowed({ from: GUEST, data: '0x1234' })).toBe(false);
  });

  it('is suspended, active again, denylisted, and recovered by most votes', async () => {
    const update = (orgId: string, account: string, action: unknown, from = ADMIN) =>
      client.refused('chainPermission_updateAccountStatus', [orgId, account, action], from);
    expect(await update('GHOST', NEWCOMER, 9, UNHELD)).toBe('Invalid account id');
    expect(await update('GHOST', NEWCOMER, 9)).toBe('Org does not exist');
    expect(await update('NETWORK', NEWCOMER, 9, GUEST)).toBe(NOT_ORG_ADMIN);
    expect(await update('NETWORK', NEWCOMER, 9)).toBe('Account does not exist');
    expect(await update('NETWORK.DESK', OTHER_ADMIN, 3)).toBe('Operation not allowed');
    expect(await update('NETWORK.DESK', GUEST, 9)).toBe('Account does not belong to this org');
    expect(await update('NETWORK', GUEST, 9)).toBe('Operation not allowed');
    expect(await update('NETWORK', GUEST, 2)).toBe('Operation not allowed');

    const status = (action: number) =>
      client.done('chainPermission_updateAccountStatus', ['NETWORK', GUEST, action], ADMIN);
    await status(1);
    expect(await client.accountStatus(GUEST)).toBe(4);
    expect(await client.allowed({ from: GUEST, to: ADMIN, data: '0x12' })).toBe(false);
    await status(2);
    expect(await client.accountStatus(GUEST)).toBe(2);
    await status(3);
    expect(await client.accountStatus(GUEST)).toBe(5);
    expect(await update('NETWORK', GUEST, 2)).toBe('Blacklisted account. Operation not allowed');
  });

  it('that is denylisted is recovered by most votes', async () => {
    const recover = (orgId: string, account: string, from = ADMIN) =>
      client.refused('chainPermission_recoverBlackListedAccount', [orgId, account], from);
    const approve = (orgId: string, account: string, from = ADMIN) =>
      client.refused('chainPermission_approveBlackListedAccountRecovery', [orgId, account], from);
    expect(await recover('GHOST', NEWCOMER, UNHELD)).toBe('Invalid account id');
    expect(await recover('GHOST', NEWCOMER, GUEST)).toBe(NOT_NETWORK_ADMIN);
    expect(await recover('GHOST', NEWCOMER)).toBe('Account does not exist');
    expect(await recover('NETWORK.DESK', GUEST)).toBe('Account does not belong to this org');
    expect(await recover('NETWORK', OTHER_ADMIN)).toBe('Operation not allowed');
    expect(await approve('NETWORK', GUEST)).toBe('Blacklisted account. Operation not allowed');

    await client.done('chainPermission_recoverBlackListedAccount', ['NETWORK', GUEST], ADMIN);
    expect(await client.accountStatus(GUEST)).toBe(7);
    expect(await recover('NETWORK', GUEST)).toBe('Operation not allowed');
    expect(await approve('GHOST', NEWCOMER, UNHELD)).toBe('Invalid account id');
    expect(await approve('GHOST', NEWCOMER, GUEST)).toBe(NOT_NETWORK_ADMIN);
    expect(await approve('GHOST', NEWCOMER)).toBe('Account does not exist');
    expect(await approve('NETWORK.DESK', GUEST)).toBe('Account does not belong to this org');
    expect(await approve('NETWORK', OTHER_ADMIN)).toBe('Operation not allowed');
    for (const voter of [ADMIN, OTHER_ADMIN])
      await client.done('chainPermission_approveBlackListedAccountRecovery', ['NETWORK', GUEST], voter);
    expect(await client.accountStatus(GUEST)).toBe(2);
  });
});

describe('accounts and roles', () => {
  it('are listed in the order of creation, whatever their status', async () => {
    const accounts = await client.node.result<{ acctId: string }[]>('chainPermission_acctList');
    expect(accounts.map(({ acctId }) => acctId)).toEqual([ADMIN, OTHER_ADMIN, GUEST]);
    const roles = await client.node.result<{ roleId: string; orgId: string }[]>('chainPermission_roleList');
    expect(roles.map(({ orgId, roleId }) => `${orgId} ${roleId}`)).toEqual([
      'NETWORK NWADMIN',
      'NETWORK CLERK',
      'NETWORK SPARE',
      'NETWORK CALLER',
      'NETWORK.DESK CALLER',
    ]);
  });
});

describe('an admin role', () => {
  const assign = (orgId: string, account: string, roleId: string, from = ADMIN) =>
    client.refused('chainPermission_assignAdminRole', [orgId, account, roleId], from);
  const approve = (orgId: string, account: string, from = ADMIN) =>
    client.refused('chainPermission_approveAdminRole', [orgId, account], from);

  it('is assigned by most votes, and its holder votes from then on', async () => {
    expect(await assign('GHOST', ZERO_ADDRESS, 'CLERK', UNHELD)).toBe('Invalid account id');
    expect(await assign('GHOST', ZERO_ADDRESS, 'CLERK', GUEST)).toBe('Invalid input');
    expect(await assign('GHOST', GUEST, 'CLERK', GUEST)).toBe('Operation not allowed');
    expect(await assign('GHOST', GUEST, 'ORGADMIN', GUEST)).toBe(NOT_NETWORK_ADMIN);
    expect(await assign('GHOST', GUEST, 'ORGADMIN')).toBe('Org does not exist');
    expect(await assign('NETWORK.DESK', GUEST, 'ORGADMIN')).toBe(
      'Account already in use in another organization',
    );
    for (const roleId of ['ORGADMIN', 'NWADMIN'])
      expect(await assign('NETWORK', OTHER_ADMIN, roleId)).toBe('Account already org admin for the org');
    expect(await approve('NETWORK', GUEST)).toBe('Nothing to approve');

    await client.done('chainPermission_assignAdminRole', ['NETWORK', NEWCOMER, 'NWADMIN'], ADMIN);
    expect(await client.account(NEWCOMER)).toMatchObject({ roleId: 'NWADMIN', status: 1 });
    expect(await approve('NETWORK', NEWCOMER, UNHELD)).toBe('Invalid account id');
    expect(await approve('NETWORK', UNHELD, GUEST)).toBe(NOT_NETWORK_ADMIN);
    expect(await approve('NETWORK', UNHELD)).toBe('Invalid account id');
    expect(await approve('NETWORK', GUEST)).toBe('Nothing to approve');
    for (const voter of [ADMIN, OTHER_ADMIN])
      await client.done('chainPermission_approveAdminRole', ['NETWORK', NEWCOMER], voter);
    expect(await client.account(NEWCOMER)).toMatchObject({ orgId: 'NETWORK', isOrgAdmin: true, status: 2 });

    const guest = ['NETWORK', GUEST];
    await client.done('chainPermission_updateAccountStatus', [...guest, 3], ADMIN);
    await client.done('chainPermission_recoverBlackListedAccount', guest, NEWCOMER);
    await client.done('chainPermission_approveBlackListedAccountRecovery', guest, NEWCOMER);
    expect(await client.accountStatus(GUEST)).toBe(7);
    await client.done('chainPermission_approveBlackListedAccountRecovery', guest, ADMIN);
    expect(await client.accountStatus(GUEST)).toBe(2);
  });
});
