import { beforeAll, describe, expect, it } from '@jest/globals';
import { permissionViews, type PermissionOperation } from '../src/index.js';
import {
  GUARDIAN,
  NETWORK_ADMIN,
  POLICY,
  PermissionChain,
  STRANGER,
  accountOf,
  nodeOf,
} from './permission-chain.js';

const LATE = { revert: 'Incorrect network boot status' };

describe.each(['v1', 'v2'] as const)('booting a network of %s', (model) => {
  let fresh: PermissionChain;
  let booted: PermissionChain;

  beforeAll(async () => {
    fresh = await PermissionChain.deploy(model);
    booted = await PermissionChain.boot(model, [NETWORK_ADMIN, accountOf(3)]);
  });

  it('leaves the admin org with its role, its admins and its nodes, all active', async () => {
    const { orgs, roles, accounts, nodes, pending } = await booted.records();
    expect(orgs).toEqual([
      {
        orgId: 'ADMINORG',
        fullOrgId: 'ADMINORG',
        parentOrgId: '',
        ultimateParent: 'ADMINORG',
        level: 1,
        status: 2,
      },
    ]);
    expect(roles).toEqual([
      { roleId: 'NWADMIN', orgId: 'ADMINORG', access: 3, isVoter: true, isAdmin: true, active: true },
    ]);
    expect(accounts.map(({ account }) => account)).toEqual([NETWORK_ADMIN, accountOf(3)]);
    for (const account of accounts)
      expect(account).toMatchObject({ orgId: 'ADMINORG', roleId: 'NWADMIN', status: 2, isOrgAdmin: true });
    expect(nodes).toHaveLength(1);
    const { url, enodeId, ip, port, raftPort } = nodeOf(1);
    expect(nodes[0]).toEqual({
      orgId: 'ADMINORG',
      status: 2,
      ...(model === 'v1' ? { enodeId: url, ip: '', port: 0, raftPort: 0 } : { enodeId, ip, port, raftPort }),
    });
    expect(pending).toMatchObject({ orgId: '', operation: 0 });
  });

  it('emits an event when it is done', async () => {
    const network = fresh.copy();
    await network.succeed(STRANGER, { name: 'setPolicy', ...POLICY });
    await network.succeed(STRANGER, { name: 'init', breadth: 3, depth: 4 });
    expect(await network.view(permissionViews(model).networkBootStatus)).toBe(false);
    expect(await network.succeed(STRANGER, { name: 'updateNetworkBootStatus' })).toEqual([
      { name: 'PermissionsInitialized', networkBoot: true },
    ]);
    expect(await network.view(permissionViews(model).networkBootStatus)).toBe(true);
  });

  it.each<PermissionOperation>([
    { name: 'setPolicy', ...POLICY },
    { name: 'init', breadth: 3, depth: 4 },
    { name: 'addAdminNode', node: nodeOf(9) },
    { name: 'addAdminAccount', account: accountOf(9) },
    { name: 'updateNetworkBootStatus' },
  ])('refuses $name when it is done', async (operation) => {
    expect(await booted.operate(NETWORK_ADMIN, operation)).toEqual(LATE);
  });

  it('refuses orgs until it is done', async () => {
    const operation = { name: 'addOrg', orgId: 'ABC', node: nodeOf(2), account: accountOf(2) } as const;
    expect(await fresh.operate(NETWORK_ADMIN, operation)).toEqual(LATE);
  });

  it('does nothing twice when several nodes boot it at once', async () => {
    const network = fresh.copy();
    await network.succeed(STRANGER, { name: 'setPolicy', ...POLICY });
    await network.succeed(GUARDIAN, { name: 'setPolicy', ...POLICY });
    await network.succeed(STRANGER, { name: 'init', breadth: 3, depth: 4 });
    expect(await network.operate(GUARDIAN, { name: 'init', breadth: 3, depth: 4 })).toEqual({
      revert: 'org exists',
    });
    const node = { name: 'addAdminNode', node: nodeOf(1) } as const;
    await network.succeed(STRANGER, node);
    expect(await network.operate(GUARDIAN, node)).toEqual({ revert: 'passed enode id exists' });
    const account = { name: 'addAdminAccount', account: NETWORK_ADMIN } as const;
    await network.succeed(STRANGER, account);
    expect(await network.operate(GUARDIAN, account)).toEqual({ revert: 'already a voter' });
    const { accounts, nodes, orgs } = await network.records();
    expect([orgs, nodes, accounts].map(({ length }) => length)).toEqual([1, 1, 1]);
  });
});
