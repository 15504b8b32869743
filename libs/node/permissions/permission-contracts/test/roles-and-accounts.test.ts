import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { NO_NODE, type PermissionOperation } from '../src/index.js';
import {
  NETWORK_ADMIN,
  ORG_ADMIN,
  PermissionChain,
  STRANGER,
  accountOf,
  nodeOf,
} from './permission-chain.js';

const MEMBER = accountOf(3);
const OTHER = accountOf(4);
const NOT_NETWORK_ADMIN = 'account is not a network admin account';
const NOT_ORG_ADMIN = 'account is not a org admin account';

const role = (roleId: string, orgId = 'ABC', access = 1, isAdmin = false) =>
  ({ name: 'addNewRole', roleId, orgId, access, isVoter: false, isAdmin }) as const;
const assign = (account = MEMBER, roleId = 'TELLER', orgId = 'ABC') =>
  ({ name: 'assignAccountRole', orgId, account, roleId }) as const;
const update = (action: number, account = MEMBER, orgId = 'ABC') =>
  ({ name: 'updateAccountStatus', orgId, account, action }) as const;
const propose = (account: typeof MEMBER, roleId = 'ORGADMIN', orgId = 'ABC') =>
  ({ name: 'assignAdminRole', orgId, account, roleId }) as const;
const approve = (account: typeof MEMBER, orgId = 'ABC') =>
  ({ name: 'approveAdminRole', orgId, account }) as const;
const recover = (step: 'start' | 'approve', account = MEMBER) =>
  ({ name: `${step}BlacklistedAccountRecovery`, orgId: 'ABC', account }) as const;

describe.each(['v1', 'v2'] as const)('roles and accounts of %s', (model) => {
  let base: PermissionChain;
  let network: PermissionChain;
  const account = async (address = MEMBER) =>
    (await network.records()).accounts.find((one) => one.account === address);
  const refused = async (from: typeof MEMBER, operation: PermissionOperation, revert: string) =>
    expect(await network.operate(from, operation)).toEqual({ revert });

  beforeAll(async () => {
    base = await PermissionChain.withOrg(model);
    await base.succeed(ORG_ADMIN, role('TELLER'));
    await base.succeed(ORG_ADMIN, assign());
  });
  beforeEach(() => {
    network = base.copy();
  });

  describe('addNewRole and removeRole', () => {
    it('create a role, and remove it so that its id is never used again', async () => {
      await network.succeed(ORG_ADMIN, role('CLERK', 'ABC', 2, true));
      const added = { roleId: 'CLERK', orgId: 'ABC', access: 2, isVoter: false, isAdmin: true };
      expect((await network.records()).roles.at(-1)).toEqual({ ...added, active: true });
      const remove = { name: 'removeRole', roleId: 'CLERK', orgId: 'ABC' } as const;
      expect(await network.succeed(ORG_ADMIN, remove)).toEqual([
        { name: 'RoleRevoked', roleId: 'CLERK', orgId: 'ABC' },
      ]);
      expect((await network.records()).roles.at(-1)).toEqual({ ...added, active: false });
      await refused(ORG_ADMIN, role('CLERK'), 'role exists for the org');
      const details = await network.ask(STRANGER, 'roleManager', 'getRoleDetails', ['CLERK', 'ABC']);
      expect(details).toEqual(['CLERK', '', 0n, false, false, false]);
    });

    it('know as many kinds of access as the model', async () => {
      const most = model === 'v1' ? 3 : 7;
      await network.succeed(ORG_ADMIN, role('MOST', 'ABC', most));
      await refused(ORG_ADMIN, role('MORE', 'ABC', most + 1), 'invalid access value');
    });

    it('are refused to others, in orgs that are not approved, and for the roles of admins', async () => {
      const remove = (roleId: string) => ({ name: 'removeRole', roleId, orgId: 'ABC' }) as const;
      await refused(MEMBER, role('CLERK'), NOT_ORG_ADMIN);
      await refused(NETWORK_ADMIN, role('CLERK'), NOT_ORG_ADMIN);
      await refused(MEMBER, remove('TELLER'), NOT_ORG_ADMIN);
      await refused(ORG_ADMIN, role('CLERK', 'NONE'), 'org not in approved status');
      for (const roleId of ['ORGADMIN', 'NWADMIN'])
        await refused(ORG_ADMIN, remove(roleId), 'admin roles cannot be removed');
      await refused(ORG_ADMIN, remove('CLERK'), 'role does not exist');
      await network.succeed(NETWORK_ADMIN, { name: 'updateOrgStatus', orgId: 'ABC', action: 1 });
      await refused(ORG_ADMIN, role('CLERK'), 'org not in approved status');
      await refused(ORG_ADMIN, remove('TELLER'), 'org not in approved status');
    });
  });

  describe('assignAccountRole', () => {
    it('brings an account into the org, and changes its role', async () => {
      expect(await account()).toEqual({
        account: MEMBER,
        orgId: 'ABC',
        roleId: 'TELLER',
        status: 2,
        isOrgAdmin: false,
      });
      await network.succeed(ORG_ADMIN, role('CLERK', 'ABC', 2, true));
      await network.succeed(ORG_ADMIN, assign(MEMBER, 'CLERK'));
      expect(await account()).toMatchObject({ roleId: 'CLERK', isOrgAdmin: true });
    });

    it('takes roles of the master org in orgs below it, but not the other way', async () => {
      await network.succeed(ORG_ADMIN, { name: 'addSubOrg', parentOrgId: 'ABC', orgId: 'S', node: NO_NODE });
      await network.succeed(ORG_ADMIN, assign(OTHER, 'TELLER', 'ABC.S'));
      expect(await account(OTHER)).toMatchObject({ orgId: 'ABC.S', roleId: 'TELLER', status: 2 });
      await network.succeed(ORG_ADMIN, role('BELOW', 'ABC.S'));
      await refused(ORG_ADMIN, assign(MEMBER, 'BELOW'), 'role does not exists');
    });

    it('makes an account an admin of the org only while its role there is one of admins', async () => {
      await refused(MEMBER, role('CLERK'), NOT_ORG_ADMIN);
      await network.succeed(ORG_ADMIN, role('HEAD', 'ABC', 0, true));
      await network.succeed(ORG_ADMIN, assign(MEMBER, 'HEAD'));
      await network.succeed(MEMBER, role('CLERK'));
      await network.succeed(ORG_ADMIN, { name: 'removeRole', roleId: 'HEAD', orgId: 'ABC' });
      await refused(MEMBER, role('GUARD'), NOT_ORG_ADMIN);
    });

    it('is refused to others, for accounts of other orgs, and for unknown roles', async () => {
      await refused(MEMBER, assign(), NOT_ORG_ADMIN);
      await refused(ORG_ADMIN, assign(MEMBER, 'TELLER', 'NONE'), 'org does not exist');
      await refused(ORG_ADMIN, assign(NETWORK_ADMIN), 'operation cannot be performed');
      await refused(ORG_ADMIN, assign(MEMBER, 'CLERK'), 'role does not exists');
      await network.succeed(ORG_ADMIN, { name: 'removeRole', roleId: 'TELLER', orgId: 'ABC' });
      await refused(ORG_ADMIN, assign(), 'role does not exists');
      await network.succeed(NETWORK_ADMIN, { name: 'updateOrgStatus', orgId: 'ABC', action: 1 });
      await refused(ORG_ADMIN, assign(), 'org not in approved status');
    });

    it('does not assign admin roles that are voted on', async () => {
      const text = 'cannot be called fro assigning org admin and network admin roles';
      await refused(ORG_ADMIN, assign(MEMBER, 'ORGADMIN'), text);
      const inAdminOrg = {
        name: 'assignAccountRole',
        orgId: 'ADMINORG',
        account: OTHER,
        roleId: 'NWADMIN',
      } as const;
      await refused(NETWORK_ADMIN, inAdminOrg, text);
    });
  });

  describe('updateAccountStatus', () => {
    it('suspends, activates and denylists', async () => {
      for (const [action, status] of [
        [1, 4],
        [2, 2],
        [3, 5],
      ] as const) {
        expect(await network.succeed(ORG_ADMIN, update(action))).toEqual([
          { name: 'AccountStatusChanged', account: MEMBER, orgId: 'ABC', status },
        ]);
        expect(await account()).toMatchObject({ status });
      }
    });

    it('refuses actions that the status does not allow', async () => {
      await refused(ORG_ADMIN, update(2), 'account is not in suspended status. operation cannot be done');
      await network.succeed(ORG_ADMIN, update(1));
      await refused(ORG_ADMIN, update(1), 'account is not in active status. operation cannot be done');
      await network.succeed(ORG_ADMIN, update(3));
      await refused(ORG_ADMIN, update(3), 'account is already blacklisted. operation cannot be done');
    });

    it.each([0, 4, 5])('refuses action %i, which is unknown or part of a recovery', async (action) => {
      await refused(ORG_ADMIN, update(action), 'invalid action. operation not allowed');
    });

    it('is refused to others, and for accounts of another org, without an org, or of admins', async () => {
      await refused(MEMBER, update(1), NOT_ORG_ADMIN);
      await refused(ORG_ADMIN, update(1, MEMBER, 'NONE'), 'org does not exist');
      await refused(ORG_ADMIN, update(1, STRANGER), 'account does not exists');
      await refused(ORG_ADMIN, update(1, NETWORK_ADMIN), 'account in different org');
      const admins = 'status change not possible for org admin accounts';
      await refused(ORG_ADMIN, update(1, ORG_ADMIN), admins);
      await refused(NETWORK_ADMIN, update(1, NETWORK_ADMIN, 'ADMINORG'), admins);
    });
  });

  describe('recovery of an account', () => {
    it('is proposed, and voted on', async () => {
      await network.succeed(ORG_ADMIN, update(3));
      await network.succeed(NETWORK_ADMIN, recover('start'));
      expect(await account()).toMatchObject({ status: 7 });
      expect((await network.records()).pending).toEqual({
        orgId: 'ABC',
        enodeId: '',
        account: MEMBER,
        operation: 6,
      });
      await network.succeed(NETWORK_ADMIN, recover('approve'));
      expect(await account()).toMatchObject({ status: 2 });
    });

    it('is for network admins, and for accounts that are denylisted', async () => {
      await refused(ORG_ADMIN, recover('start'), NOT_NETWORK_ADMIN);
      await refused(ORG_ADMIN, recover('approve'), NOT_NETWORK_ADMIN);
      await refused(NETWORK_ADMIN, recover('start'), 'account is not blacklisted. operation cannot be done');
      await refused(NETWORK_ADMIN, recover('approve'), 'nothing to approve');
      await network.succeed(ORG_ADMIN, update(3));
      await network.succeed(NETWORK_ADMIN, recover('start'));
      await network.succeed(ORG_ADMIN, assign());
      const late = 'account recovery not initiated. operation cannot be done';
      await refused(NETWORK_ADMIN, recover('approve'), late);
    });
  });

  describe('assignAdminRole and approveAdminRole', () => {
    it('replace the admin of an org, which has exactly one', async () => {
      await network.succeed(NETWORK_ADMIN, propose(MEMBER));
      expect(await account()).toMatchObject({ roleId: 'ORGADMIN', status: 1, isOrgAdmin: true });
      expect((await network.records()).pending).toMatchObject({
        orgId: 'ABC',
        account: MEMBER,
        operation: 4,
      });
      await network.succeed(NETWORK_ADMIN, approve(MEMBER));
      expect(await account(ORG_ADMIN)).toMatchObject({ status: 6, isOrgAdmin: false });
      expect(await account()).toMatchObject({ status: 2, isOrgAdmin: true });
      await network.succeed(MEMBER, role('CLERK'));
      expect(await network.ask(STRANGER, 'accountManager', 'orgAdminExists', ['ABC'])).toEqual([true]);
    });

    it('make network admins, which vote', async () => {
      await network.succeed(NETWORK_ADMIN, propose(OTHER, 'NWADMIN', 'ADMINORG'));
      const events = await network.succeed(NETWORK_ADMIN, approve(OTHER, 'ADMINORG'));
      expect(events.at(-1)).toEqual({ name: 'VoterAdded', networkAdminOrg: 'ADMINORG', voter: OTHER });
      expect(await account(NETWORK_ADMIN)).toMatchObject({ status: 2 });
      expect(await network.ask(STRANGER, 'interface', 'isNetworkAdmin', [OTHER])).toEqual([true]);
    });

    it('take the vote of a network admin who is replaced as an org’s admin', async () => {
      await network.succeed(NETWORK_ADMIN, propose(ORG_ADMIN, 'NWADMIN'));
      await network.succeed(NETWORK_ADMIN, approve(ORG_ADMIN));
      await network.succeed(NETWORK_ADMIN, propose(MEMBER));
      await network.succeed(ORG_ADMIN, approve(MEMBER));
      const events = await network.succeed(NETWORK_ADMIN, approve(MEMBER));
      expect(events).toContainEqual({ name: 'VoterDeleted', networkAdminOrg: 'ADMINORG', voter: ORG_ADMIN });
      await network.succeed(NETWORK_ADMIN, propose(OTHER));
      await refused(ORG_ADMIN, approve(OTHER), 'must be a voter');
    });

    it('leave an account of another org in its org, without access until it is approved', async () => {
      await network.addApprovedOrg(NETWORK_ADMIN, 'DEF', nodeOf(5), accountOf(5));
      await network.succeed(NETWORK_ADMIN, propose(MEMBER, 'ORGADMIN', 'DEF'));
      expect(await account()).toMatchObject({ orgId: 'ABC', roleId: 'ORGADMIN', status: 1 });
    });

    it('are for network admins, for the roles of admins, and for known orgs and accounts', async () => {
      await refused(ORG_ADMIN, propose(MEMBER), NOT_NETWORK_ADMIN);
      await refused(ORG_ADMIN, approve(MEMBER), NOT_NETWORK_ADMIN);
      await refused(NETWORK_ADMIN, propose(MEMBER, 'TELLER'), 'can be called to assign admin roles only');
      await refused(NETWORK_ADMIN, propose(MEMBER, 'ORGADMIN', 'NONE'), 'org does not exist');
      await refused(NETWORK_ADMIN, approve(MEMBER), 'nothing to approve');
      await network.succeed(NETWORK_ADMIN, propose(MEMBER));
      await refused(NETWORK_ADMIN, approve(STRANGER), 'account does not exists');
    });
  });

  it('are found by address', async () => {
    const ask = (name: string, values: unknown[]) => network.ask(STRANGER, 'accountManager', name, values);
    const [address, ...details] = await ask('getAccountDetails', [MEMBER]);
    expect([String(address).toLowerCase(), ...details]).toEqual([MEMBER, 'ABC', 'TELLER', 2n, false]);
    expect((await ask('getAccountDetails', [STRANGER])).slice(1)).toEqual(['NONE', '', 0n, false]);
    expect(await ask('getAccountRole', [STRANGER])).toEqual(['NONE']);
    expect(await ask('validateAccount', [MEMBER, 'DEF'])).toEqual([false]);
    expect(await ask('validateAccount', [STRANGER, 'DEF'])).toEqual([true]);
    expect(await ask('checkOrgAdmin', [accountOf(0), 'NONE', ''])).toEqual([false]);
    const interfaces = (name: string, values: unknown[]) => network.ask(STRANGER, 'interface', name, values);
    expect(await interfaces('isOrgAdmin', [ORG_ADMIN, 'ABC'])).toEqual([true]);
    expect(await interfaces('isOrgAdmin', [NETWORK_ADMIN, 'ABC'])).toEqual([false]);
    expect(await interfaces('validateAccount', [MEMBER, 'ABC'])).toEqual([true]);
  });
});
