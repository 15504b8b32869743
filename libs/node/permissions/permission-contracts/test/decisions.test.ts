import { beforeAll, describe, expect, it } from '@jest/globals';
import { ZERO_ADDRESS } from '@tetrad/types';
import { NO_NODE, permissionDecisions } from '../src/index.js';
import {
  NETWORK_ADMIN,
  ORG_ADMIN,
  PermissionChain,
  STRANGER,
  accountOf,
  nodeOf,
} from './permission-chain.js';

const { transactionAllowed, connectionAllowed } = permissionDecisions;
const NOTHING = new Uint8Array(0);
const TARGET = accountOf(77);
const KINDS = {
  transfer: [TARGET, NOTHING],
  call: [TARGET, Uint8Array.of(1)],
  deploy: [ZERO_ADDRESS, Uint8Array.of(1)],
} as const;

/** Access → whether it allows a transfer, a call, a deployment. */
const TABLE: readonly (readonly [access: number, ...allowed: readonly boolean[]])[] = [
  [0, false, false, false],
  [1, true, false, false],
  [2, false, false, true],
  [3, true, true, true],
  [4, false, true, false],
  [5, true, true, false],
  [6, true, false, true],
  [7, false, true, true],
];
const MEMBER = accountOf(3);

async function allowed(network: PermissionChain, sender: typeof MEMBER): Promise<boolean[]> {
  return Promise.all(
    Object.values(KINDS).map(([target, payload]) =>
      network.view(transactionAllowed, sender, target, 5n, 0n, 21_000n, payload),
    ),
  );
}
const ALL = [true, true, true];
const NONE = [false, false, false];

describe('transactions under v2', () => {
  let base: PermissionChain;
  const role = (access: number, orgId = 'ABC') =>
    ({ name: 'addNewRole', roleId: `R${access}`, orgId, access, isVoter: false, isAdmin: false }) as const;
  const assign = (account: typeof MEMBER, roleId: string, orgId = 'ABC') =>
    ({ name: 'assignAccountRole', orgId, account, roleId }) as const;
  const status = (account: typeof MEMBER, action: number) =>
    ({ name: 'updateAccountStatus', orgId: 'ABC', account, action }) as const;
  const orgStatus = (name: 'updateOrgStatus' | 'approveOrgStatus', action: number) =>
    ({ name, orgId: 'ABC', action }) as const;

  beforeAll(async () => {
    base = await PermissionChain.withOrg('v2');
    await base.succeed(ORG_ADMIN, { name: 'addSubOrg', parentOrgId: 'ABC', orgId: 'S', node: NO_NODE });
    for (const [access] of TABLE) await base.succeed(ORG_ADMIN, role(access));
  });

  it.each(TABLE)(
    'are allowed with access %i: transfer %s, call %s, deployment %s',
    async (access, ...expected) => {
      const network = base.copy();
      await network.succeed(ORG_ADMIN, assign(MEMBER, `R${access}`));
      await network.succeed(ORG_ADMIN, assign(accountOf(4), `R${access}`, 'ABC.S'));
      expect(await allowed(network, MEMBER)).toEqual(expected);
      // The role of the master org, in an org below it.
      expect(await allowed(network, accountOf(4))).toEqual(expected);
    },
  );

  it('are denied in every status but active', async () => {
    const network = base.copy();
    await network.succeed(ORG_ADMIN, assign(MEMBER, 'R3'));
    expect(await allowed(network, STRANGER)).toEqual(NONE);
    for (const [action, expected] of [
      [1, NONE],
      [2, ALL],
      [3, NONE],
    ] as const) {
      await network.succeed(ORG_ADMIN, status(MEMBER, action));
      expect(await allowed(network, MEMBER)).toEqual(expected);
    }
    const recover = { orgId: 'ABC', account: MEMBER };
    await network.succeed(NETWORK_ADMIN, { name: 'startBlacklistedAccountRecovery', ...recover });
    expect(await allowed(network, MEMBER)).toEqual(NONE);
    await network.succeed(NETWORK_ADMIN, { name: 'approveBlacklistedAccountRecovery', ...recover });
    expect(await allowed(network, MEMBER)).toEqual(ALL);
    await network.succeed(NETWORK_ADMIN, { name: 'assignAdminRole', ...recover, roleId: 'ORGADMIN' });
    expect(await allowed(network, MEMBER)).toEqual(NONE);
    await network.succeed(NETWORK_ADMIN, { name: 'approveAdminRole', ...recover });
    expect(await allowed(network, MEMBER)).toEqual(ALL);
    // Revoked: the org has another admin by now.
    expect(await allowed(network, ORG_ADMIN)).toEqual(NONE);
  });

  it('are allowed to admins, regardless of the access of their roles', async () => {
    const network = base.copy();
    const head = {
      name: 'addNewRole',
      roleId: 'HEAD',
      orgId: 'ABC',
      access: 0,
      isVoter: false,
      isAdmin: true,
    } as const;
    await network.succeed(ORG_ADMIN, head);
    await network.succeed(ORG_ADMIN, assign(MEMBER, 'HEAD'));
    for (const account of [NETWORK_ADMIN, ORG_ADMIN, MEMBER])
      expect(await allowed(network, account)).toEqual(ALL);
  });

  it('are denied while the org is suspended or waits for the end of that, below it too', async () => {
    const network = base.copy();
    await network.succeed(ORG_ADMIN, assign(MEMBER, 'R3', 'ABC.S'));
    const steps = [
      [orgStatus('updateOrgStatus', 1), ALL],
      [orgStatus('approveOrgStatus', 1), NONE],
      [orgStatus('updateOrgStatus', 2), NONE],
      [orgStatus('approveOrgStatus', 2), ALL],
    ] as const;
    for (const [operation, expected] of steps) {
      await network.succeed(NETWORK_ADMIN, operation);
      for (const account of [ORG_ADMIN, MEMBER]) expect(await allowed(network, account)).toEqual(expected);
      expect(await allowed(network, NETWORK_ADMIN)).toEqual(ALL);
    }
  });

  it('are denied to the admin of an org that is only proposed', async () => {
    const network = base.copy();
    const proposal = { name: 'addOrg', orgId: 'DEF', node: nodeOf(5), account: accountOf(5) } as const;
    await network.succeed(NETWORK_ADMIN, proposal);
    expect(await allowed(network, accountOf(5))).toEqual(NONE);
  });

  it('keep the access of a role that was removed', async () => {
    const network = base.copy();
    await network.succeed(ORG_ADMIN, assign(MEMBER, 'R5'));
    await network.succeed(ORG_ADMIN, { name: 'removeRole', roleId: 'R5', orgId: 'ABC' });
    expect(await allowed(network, MEMBER)).toEqual([true, true, false]);
  });

  it('take the role of the own org rather than that of the master', async () => {
    const network = base.copy();
    await network.succeed(ORG_ADMIN, { ...role(4, 'ABC.S'), roleId: 'R3' });
    await network.succeed(ORG_ADMIN, assign(MEMBER, 'R3', 'ABC.S'));
    expect(await allowed(network, MEMBER)).toEqual([false, true, false]);
  });
});

describe('connections under v2', () => {
  it('are allowed to active nodes from their own host, at any port', async () => {
    const network = await PermissionChain.withOrg('v2');
    const { enodeId, ip, port } = nodeOf(2);
    const may = (id: string, host: string, at: number) => network.view(connectionAllowed, id, host, at);
    const update = (action: number) =>
      network.succeed(ORG_ADMIN, { name: 'updateNodeStatus', orgId: 'ABC', node: nodeOf(2), action });
    expect(await may(enodeId, ip, port)).toBe(true);
    expect(await may(enodeId, ip, 1)).toBe(true);
    expect(await may(enodeId, '10.0.0.3', port)).toBe(false);
    expect(await may(enodeId, '', port)).toBe(false);
    expect(await may(nodeOf(9).enodeId, ip, port)).toBe(false);
    await update(1);
    expect(await may(enodeId, ip, port)).toBe(false);
    await update(2);
    expect(await may(enodeId, ip, port)).toBe(true);
    await update(3);
    expect(await may(enodeId, ip, port)).toBe(false);
  });

  it('and transactions are all allowed until the network has booted', async () => {
    const network = await PermissionChain.deploy('v2');
    expect(await network.view(connectionAllowed, nodeOf(9).enodeId, '', 0)).toBe(true);
    expect(await allowed(network, STRANGER)).toEqual(ALL);
  });

  it('stay allowed to nodes of a suspended org', async () => {
    const network = await PermissionChain.withOrg('v2');
    await network.succeed(NETWORK_ADMIN, { name: 'updateOrgStatus', orgId: 'ABC', action: 1 });
    await network.succeed(NETWORK_ADMIN, { name: 'approveOrgStatus', orgId: 'ABC', action: 1 });
    const { enodeId, ip, port } = nodeOf(2);
    expect(await network.view(connectionAllowed, enodeId, ip, port)).toBe(true);
  });
});
