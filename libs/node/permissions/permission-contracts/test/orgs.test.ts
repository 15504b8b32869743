import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { NO_NODE, permissionViews, type PermissionOperation } from '../src/index.js';
import {
  NETWORK_ADMIN,
  ORG_ADMIN,
  PermissionChain,
  STRANGER,
  accountOf,
  nodeOf,
} from './permission-chain.js';

const NOT_NETWORK_ADMIN = { revert: 'account is not a network admin account' };
const NOT_ORG_ADMIN = { revert: 'account is not a org admin account' };

describe.each(['v1', 'v2'] as const)('orgs of %s', (model) => {
  let base: PermissionChain;
  let network: PermissionChain;
  const subOrg = (parentOrgId: string, orgId: string, node = NO_NODE): PermissionOperation => ({
    name: 'addSubOrg',
    parentOrgId,
    orgId,
    node,
  });
  const update = (action: number, orgId = 'ABC') => ({ name: 'updateOrgStatus', orgId, action }) as const;
  const approve = (action: number, orgId = 'ABC') => ({ name: 'approveOrgStatus', orgId, action }) as const;
  const org = async (fullOrgId: string) =>
    (await network.records()).orgs.find((one) => one.fullOrgId === fullOrgId);

  beforeAll(async () => {
    base = await PermissionChain.withOrg(model);
  });
  beforeEach(() => {
    network = base.copy();
  });

  describe('addOrg and approveOrg', () => {
    const proposal = { name: 'addOrg', orgId: 'DEF', node: nodeOf(3), account: accountOf(3) } as const;

    it('propose org, node and admin, and make them active with a role of the admin’s', async () => {
      await network.succeed(NETWORK_ADMIN, proposal);
      const proposed = await network.records();
      expect(proposed.orgs.at(-1)).toMatchObject({ orgId: 'DEF', level: 1, status: 1 });
      expect(proposed.nodes.at(-1)).toMatchObject({ orgId: 'DEF', status: 1 });
      expect(proposed.accounts.at(-1)).toMatchObject({ roleId: 'ORGADMIN', status: 1, isOrgAdmin: true });
      expect(proposed.pending).toMatchObject({ orgId: 'DEF', account: accountOf(3), operation: 1 });
      expect(proposed.pending.enodeId).toBe(model === 'v1' ? nodeOf(3).url : nodeOf(3).enodeId);
      await network.succeed(NETWORK_ADMIN, { ...proposal, name: 'approveOrg' });
      const approved = await network.records();
      for (const last of [approved.orgs, approved.nodes, approved.accounts])
        expect(last.at(-1)).toMatchObject({ orgId: 'DEF', status: 2 });
      expect(approved.roles.at(-1)).toEqual({
        roleId: 'ORGADMIN',
        orgId: 'DEF',
        access: 3,
        isVoter: true,
        isAdmin: true,
        active: true,
      });
      expect(approved.pending.operation).toBe(0);
    });

    it.each<[string, Partial<typeof proposal> | object, string]>([
      ['an org that exists', { orgId: 'ABC' }, 'org exists'],
      ['a node that is in an org', { node: nodeOf(2) }, 'passed enode id exists'],
      ['an account that is in another org', { account: ORG_ADMIN }, 'Operation cannot be performed'],
    ])('refuse %s, and leave nothing of it', async (_, change, revert) => {
      const before = await network.records();
      expect(await network.operate(NETWORK_ADMIN, { ...proposal, ...change })).toEqual({ revert });
      expect(await network.records()).toEqual(before);
    });

    it('are for network admins', async () => {
      expect(await network.operate(ORG_ADMIN, proposal)).toEqual(NOT_NETWORK_ADMIN);
      expect(await network.operate(STRANGER, { ...proposal, name: 'approveOrg' })).toEqual(NOT_NETWORK_ADMIN);
    });

    it('approve nothing that was not proposed', async () => {
      const approval = { ...proposal, name: 'approveOrg' } as const;
      expect(await network.operate(NETWORK_ADMIN, approval)).toEqual({ revert: 'Nothing to approve' });
      await network.succeed(NETWORK_ADMIN, proposal);
      expect(await network.operate(NETWORK_ADMIN, { ...approval, account: STRANGER })).toEqual({
        revert: 'account does not exists',
      });
      expect(await network.operate(NETWORK_ADMIN, { ...approval, node: nodeOf(9) })).toEqual({
        revert: 'passed enode id does not exist',
      });
      expect(await network.operate(NETWORK_ADMIN, { ...approval, node: nodeOf(1) })).toEqual({
        revert: 'enode id does not belong to the passed org id',
      });
      expect((await network.records()).pending.operation).toBe(1);
    });
  });

  describe('addSubOrg', () => {
    it('adds an org below another at once, with a node or without', async () => {
      await network.succeed(ORG_ADMIN, subOrg('ABC', 'SUB1', nodeOf(4)));
      await network.succeed(ORG_ADMIN, subOrg('ABC.SUB1', 'SUB2'));
      const { orgs, nodes } = await network.records();
      expect(orgs.slice(-2)).toMatchObject([
        {
          orgId: 'SUB1',
          fullOrgId: 'ABC.SUB1',
          parentOrgId: 'ABC',
          ultimateParent: 'ABC',
          level: 2,
          status: 2,
        },
        {
          orgId: 'SUB2',
          fullOrgId: 'ABC.SUB1.SUB2',
          parentOrgId: 'ABC.SUB1',
          ultimateParent: 'ABC',
          level: 3,
        },
      ]);
      expect(nodes.at(-1)).toMatchObject({ orgId: 'ABC.SUB1', status: 2 });
      expect(nodes).toHaveLength(3);
      expect(await network.view(permissionViews(model).subOrgIndexes, 'ABC')).toEqual([2]);
      expect(await network.view(permissionViews(model).subOrgIndexes, 'ABC.SUB1')).toEqual([3]);
    });

    it('is refused where the tree has the maximum depth or breadth', async () => {
      for (const [index, parent] of ['ABC', 'ABC.S', 'ABC.S.S'].entries()) {
        expect(await org(`${parent}.S`)).toBeUndefined();
        await network.succeed(ORG_ADMIN, subOrg(parent, 'S'));
        expect(await org(`${parent}.S`)).toMatchObject({ level: index + 2 });
      }
      const deeper = await network.operate(ORG_ADMIN, subOrg('ABC.S.S.S', 'S'));
      expect(deeper).toEqual({ revert: 'depth level exceeded' });
      for (const id of ['T', 'U']) await network.succeed(ORG_ADMIN, subOrg('ABC', id));
      expect(await network.operate(ORG_ADMIN, subOrg('ABC', 'V'))).toEqual({
        revert: 'breadth level exceeded',
      });
    });

    it.each<[string, PermissionOperation, string]>([
      ['a parent that is not there', subOrg('NONE', 'S'), 'org does not exist'],
      ['a parent of others', subOrg('ADMINORG', 'S'), NOT_ORG_ADMIN.revert],
      ['a node that is in an org', subOrg('ABC', 'S', nodeOf(1)), 'passed enode id exists'],
    ])('refuses %s', async (_, operation, revert) => {
      expect(await network.operate(ORG_ADMIN, operation)).toEqual({ revert });
    });

    it('refuses a second one of the same name, but not below another parent', async () => {
      await network.succeed(ORG_ADMIN, subOrg('ABC', 'S'));
      expect(await network.operate(ORG_ADMIN, subOrg('ABC', 'S'))).toEqual({ revert: 'org exists' });
      await network.succeed(NETWORK_ADMIN, subOrg('ADMINORG', 'S'));
    });
  });

  describe('updateOrgStatus and approveOrgStatus', () => {
    it('suspend an org and end the suspension, each with a vote', async () => {
      for (const [action, pending, done] of [
        [1, 3, 4],
        [2, 5, 2],
      ] as const) {
        const [proposed] = await network.succeed(NETWORK_ADMIN, update(action));
        expect(proposed).toMatchObject({ name: 'OrgPendingApproval', orgId: 'ABC', status: pending });
        expect((await network.records()).pending).toEqual({
          orgId: 'ABC',
          enodeId: '',
          account: accountOf(0),
          operation: action + 1,
        });
        const events = await network.succeed(NETWORK_ADMIN, approve(action));
        expect(events.at(-1)?.name).toBe(action === 1 ? 'OrgSuspended' : 'OrgSuspensionRevoked');
        expect(await org('ABC')).toMatchObject({ status: done });
      }
    });

    it.each<[string, PermissionOperation, string]>([
      ['an org that is not there', update(1, 'NONE'), 'org does not exist'],
      ['another action', update(3), 'invalid action. operation not allowed'],
      ['an org that is not suspended to be activated', update(2), 'org status does not allow the operation'],
      ['approval of another action', approve(3), 'Operation not allowed'],
      ['approval of what was not proposed', approve(1), 'operation not allowed'],
    ])('refuse %s', async (_, operation, revert) => {
      expect(await network.operate(NETWORK_ADMIN, operation)).toEqual({ revert });
    });

    it('refuse sub-orgs, a second suspension and approval of the other action', async () => {
      await network.succeed(ORG_ADMIN, subOrg('ABC', 'S'));
      expect(await network.operate(NETWORK_ADMIN, update(1, 'ABC.S'))).toEqual({
        revert: 'not a master org. operation not allowed',
      });
      await network.succeed(NETWORK_ADMIN, update(1));
      expect(await network.operate(NETWORK_ADMIN, update(1))).toEqual({
        revert: 'org status does not allow the operation',
      });
      expect(await network.operate(NETWORK_ADMIN, approve(2))).toEqual({ revert: 'operation not allowed' });
    });

    it('are for network admins', async () => {
      expect(await network.operate(ORG_ADMIN, update(1))).toEqual(NOT_NETWORK_ADMIN);
      expect(await network.operate(ORG_ADMIN, approve(1))).toEqual(NOT_NETWORK_ADMIN);
    });
  });

  it('are found by their full ids', async () => {
    await network.succeed(ORG_ADMIN, subOrg('ABC', 'S'));
    const ask = (name: string, values: unknown[]) => network.ask(STRANGER, 'orgManager', name, values);
    expect(await ask('getOrgDetails', ['ABC.S'])).toEqual(['S', 'ABC', 'ABC', 2n, 2n]);
    expect(await ask('getOrgDetails', ['S'])).toEqual(['S', '', '', 0n, 0n]);
    expect(await ask('checkOrgExists', ['ABC.S'])).toEqual([true]);
    expect(await ask('checkOrgStatus', ['ABC.S', 2])).toEqual([true]);
    expect(await ask('checkOrgStatus', ['S', 0])).toEqual([false]);
    await expect(ask('getSubOrgIndexes', ['S'])).rejects.toThrow('org does not exist');
    await expect(ask('getUltimateParent', ['ABC.S'])).rejects.toThrow('invalid caller');
  });
});
