import { describe, expect, it } from '@jest/globals';
import type { PermissionOperation } from '../src/index.js';
import { PermissionChain, accountOf, nodeOf, type Outcome } from './permission-chain.js';

const admins = (count: number) => Array.from({ length: count }, (_, index) => accountOf(index + 1));
const ORG = { orgId: 'ABC', node: nodeOf(50), account: accountOf(50) };
const PROPOSE = { name: 'addOrg', ...ORG } as const;
const APPROVE = { name: 'approveOrg', ...ORG } as const;

/** The other operations that need a vote. */
const OTHERS: readonly PermissionOperation[] = [
  { name: 'addOrg', orgId: 'DEF', node: nodeOf(51), account: accountOf(51) },
  { name: 'updateOrgStatus', orgId: 'ADMINORG', action: 1 },
  { name: 'assignAdminRole', orgId: 'ADMINORG', account: accountOf(52), roleId: 'NWADMIN' },
];

describe.each(['v1', 'v2'] as const)('votes of %s', (model) => {
  const isPending = async (network: PermissionChain) => (await network.records()).pending.operation !== 0;

  it.each([
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 3],
    [5, 3],
  ])('of %i voters are decided by %i, and a proposal does not count as a vote', async (voters, needed) => {
    const network = await PermissionChain.boot(model, admins(voters));
    await network.succeed(accountOf(1), PROPOSE);
    for (let votes = 1; votes <= needed; votes++) {
      expect(await isPending(network)).toBe(true);
      expect((await network.records()).orgs.at(-1)).toMatchObject({ orgId: 'ABC', status: 1 });
      const events = await network.succeed(accountOf(votes), APPROVE);
      expect(events[0]).toEqual({ name: 'VoteProcessed', networkAdminOrg: 'ADMINORG' });
      expect(events.length > 1).toBe(votes === needed);
    }
    expect(await isPending(network)).toBe(false);
    expect((await network.records()).orgs.at(-1)).toMatchObject({ orgId: 'ABC', status: 2 });
  });

  it('count once for each voter and item', async () => {
    const network = await PermissionChain.boot(model, admins(3));
    await network.succeed(accountOf(1), PROPOSE);
    await network.succeed(accountOf(1), APPROVE);
    expect(await network.operate(accountOf(1), APPROVE)).toEqual({ revert: 'cannot double vote' });
    await network.succeed(accountOf(2), APPROVE);
    await network.succeed(accountOf(1), { name: 'updateOrgStatus', orgId: 'ABC', action: 1 });
    await network.succeed(accountOf(1), { name: 'approveOrgStatus', orgId: 'ABC', action: 1 });
  });

  it('are accepted for the pending item only, which is the only one in the whole network', async () => {
    const network = await PermissionChain.boot(model, admins(2));
    await network.succeed(accountOf(1), PROPOSE);
    const before = await network.records();
    for (const operation of OTHERS)
      expect(await network.operate(accountOf(2), operation)).toEqual({
        revert: 'items pending for approval. new item cannot be added',
      });
    const others: readonly PermissionOperation[] = [
      { name: 'approveAdminRole', orgId: 'ABC', account: accountOf(50) },
      { name: 'approveBlacklistedAccountRecovery', orgId: 'ABC', account: accountOf(50) },
      { name: 'approveBlacklistedNodeRecovery', orgId: 'ABC', node: nodeOf(50) },
    ];
    for (const operation of others)
      expect(await network.operate(accountOf(2), operation)).toEqual({ revert: 'nothing to approve' });
    expect(await network.records()).toEqual(before);
  });

  it('apply the arguments of the deciding call, whatever was proposed', async () => {
    const network = await PermissionChain.boot(model, admins(1));
    await network.addApprovedOrg(accountOf(1), 'DEF', nodeOf(51), accountOf(51));
    await network.succeed(accountOf(1), PROPOSE);
    await network.succeed(accountOf(1), { ...APPROVE, account: accountOf(51) });
    const { accounts } = await network.records();
    expect(accounts.find(({ account }) => account === accountOf(50))).toMatchObject({ status: 1 });
  });

  it('need more once there are more voters', async () => {
    const network = await PermissionChain.boot(model, admins(1));
    const vote = (from: number, name: 'assignAdminRole' | 'approveAdminRole', to: number): Promise<Outcome> =>
      network.operate(accountOf(from), {
        name,
        orgId: 'ADMINORG',
        account: accountOf(to),
        roleId: 'NWADMIN',
      });
    await vote(1, 'assignAdminRole', 2);
    await vote(1, 'approveAdminRole', 2);
    await vote(2, 'assignAdminRole', 3);
    await vote(2, 'approveAdminRole', 3);
    expect(await isPending(network)).toBe(true);
    await vote(1, 'approveAdminRole', 3);
    expect(await isPending(network)).toBe(false);
  });

  it('are refused to a network admin who is not a voter yet', async () => {
    const network = await PermissionChain.boot(model, admins(1));
    const assignment = {
      name: 'assignAdminRole',
      orgId: 'ADMINORG',
      account: accountOf(2),
      roleId: 'NWADMIN',
    } as const;
    await network.succeed(accountOf(1), assignment);
    const approval = { ...assignment, name: 'approveAdminRole' } as const;
    expect(await network.operate(accountOf(2), approval)).toEqual({ revert: 'must be a voter' });
  });
});
