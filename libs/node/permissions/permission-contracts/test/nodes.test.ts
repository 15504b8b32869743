import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PermissionNode, PermissionOperation } from '../src/index.js';
import {
  NETWORK_ADMIN,
  ORG_ADMIN,
  PermissionChain,
  STRANGER,
  accountOf,
  nodeOf,
} from './permission-chain.js';

const NOT_NETWORK_ADMIN = 'account is not a network admin account';
const NOT_ORG_ADMIN = 'account is not a org admin account';
const NODE = nodeOf(2);

const add = (node: PermissionNode, orgId = 'ABC') => ({ name: 'addNode', orgId, node }) as const;
const update = (action: number, node = NODE, orgId = 'ABC') =>
  ({ name: 'updateNodeStatus', orgId, node, action }) as const;
const recover = (step: 'start' | 'approve', node = NODE) =>
  ({ name: `${step}BlacklistedNodeRecovery`, orgId: 'ABC', node }) as const;

describe.each(['v1', 'v2'] as const)('nodes of %s', (model) => {
  let base: PermissionChain;
  let network: PermissionChain;
  const idOf = (node: PermissionNode) => (model === 'v1' ? node.url : node.enodeId);
  const status = async (node = NODE) =>
    (await network.records()).nodes.find(({ enodeId }) => enodeId === idOf(node))?.status;
  const refused = async (from: typeof ORG_ADMIN, operation: PermissionOperation, revert: string) =>
    expect(await network.operate(from, operation)).toEqual({ revert });

  beforeAll(async () => {
    base = await PermissionChain.withOrg(model);
  });
  beforeEach(() => {
    network = base.copy();
  });

  it('are added at once by admins of an approved org', async () => {
    const [event] = await network.succeed(ORG_ADMIN, add(nodeOf(5)));
    expect(event).toMatchObject({ name: 'NodeApproved', orgId: 'ABC', enodeId: idOf(nodeOf(5)) });
    expect(await status(nodeOf(5))).toBe(2);
    await refused(ORG_ADMIN, add(nodeOf(5)), 'passed enode id exists');
    await refused(STRANGER, add(nodeOf(6)), NOT_ORG_ADMIN);
    await refused(ORG_ADMIN, add(nodeOf(6), 'NONE'), 'org not in approved status');
    await network.succeed(NETWORK_ADMIN, { name: 'updateOrgStatus', orgId: 'ABC', action: 1 });
    await refused(ORG_ADMIN, add(nodeOf(6)), 'org not in approved status');
  });

  it('are deactivated, activated and denylisted, with events that identify them', async () => {
    const { enodeId, ip, port, raftPort } = NODE;
    const named =
      model === 'v1' ? { enodeId: NODE.url, ip: '', port: 0, raftPort: 0 } : { enodeId, ip, port, raftPort };
    for (const [action, name, after] of [
      [1, 'NodeDeactivated', 3],
      [2, 'NodeActivated', 2],
      [3, 'NodeBlacklisted', 4],
      [3, 'NodeBlacklisted', 4],
    ] as const) {
      expect(await network.succeed(ORG_ADMIN, update(action))).toEqual([{ name, orgId: 'ABC', ...named }]);
      expect(await status()).toBe(after);
    }
  });

  it('have no status changed against the rules', async () => {
    await refused(STRANGER, update(1), NOT_ORG_ADMIN);
    await refused(ORG_ADMIN, update(1, NODE, 'NONE'), 'org does not exist');
    for (const action of [0, 4, 5])
      await refused(ORG_ADMIN, update(action), 'invalid action. operation not allowed');
    await refused(ORG_ADMIN, update(1, nodeOf(9)), 'passed enode id does not exist');
    await refused(ORG_ADMIN, update(1, nodeOf(1)), 'enode id does not belong to the passed org');
    await refused(ORG_ADMIN, update(2), 'operation cannot be performed');
    await network.succeed(ORG_ADMIN, update(1));
    await refused(ORG_ADMIN, update(1), 'operation cannot be performed');
  });

  it('are recovered by a vote', async () => {
    await refused(NETWORK_ADMIN, recover('start'), 'operation cannot be performed');
    await network.succeed(ORG_ADMIN, update(3));
    await refused(ORG_ADMIN, recover('start'), NOT_NETWORK_ADMIN);
    const [started] = await network.succeed(NETWORK_ADMIN, recover('start'));
    expect(started?.name).toBe('NodeRecoveryInitiated');
    expect(await status()).toBe(5);
    expect((await network.records()).pending).toEqual({
      orgId: 'ABC',
      enodeId: idOf(NODE),
      account: accountOf(0),
      operation: 5,
    });
    await refused(ORG_ADMIN, recover('approve'), NOT_NETWORK_ADMIN);
    const events = await network.succeed(NETWORK_ADMIN, recover('approve'));
    expect(events.at(-1)?.name).toBe('NodeRecoveryCompleted');
    expect(await status()).toBe(2);
    await refused(NETWORK_ADMIN, recover('approve'), 'nothing to approve');
  });

  it('are not recovered when they have been denylisted again in the meantime', async () => {
    await network.succeed(ORG_ADMIN, update(3));
    await network.succeed(NETWORK_ADMIN, recover('start'));
    await network.succeed(ORG_ADMIN, update(3));
    await refused(NETWORK_ADMIN, recover('approve'), 'operation cannot be performed');
    expect((await network.records()).pending.operation).toBe(5);
  });

  it('are found by their identifiers', async () => {
    const ask = (id: string) => network.ask(STRANGER, 'nodeManager', 'getNodeDetails', [id]);
    const { url, enodeId, ip, port } = NODE;
    const [found, unknown] =
      model === 'v1'
        ? [
            ['ABC', url, 2n],
            ['', 'x', 0n],
          ]
        : [
            ['ABC', enodeId, ip, BigInt(port), 0n, 2n],
            ['', '', '', 0n, 0n, 0n],
          ];
    expect(await ask(idOf(NODE))).toEqual(found);
    expect(await ask('x')).toEqual(unknown);
  });
});

describe('a node of v2', () => {
  let network: PermissionChain;
  const elsewhere: readonly [string, PermissionNode][] = [
    ['host', { ...NODE, ip: '10.9.9.9' }],
    ['port', { ...NODE, port: 30_304 }],
    ['raft port', { ...NODE, raftPort: 1 }],
  ];

  beforeEach(async () => {
    network = await PermissionChain.withOrg('v2');
  });

  it.each(elsewhere)('that is named with another %s is unchanged, without an event', async (_, node) => {
    const before = await network.records();
    for (const action of [1, 2, 3])
      expect(await network.succeed(ORG_ADMIN, update(action, node))).toEqual([]);
    expect(await network.records()).toEqual(before);
  });

  it.each(elsewhere)(
    'that is approved with another %s stays proposed, while its org is approved',
    async (_, node) => {
      const proposal = { name: 'addOrg', orgId: 'DEF', account: accountOf(3) } as const;
      await network.succeed(NETWORK_ADMIN, {
        ...proposal,
        node: { ...node, ip: '10.1.1.1', enodeId: nodeOf(7).enodeId },
      });
      await network.succeed(NETWORK_ADMIN, { ...proposal, name: 'approveOrg', node: nodeOf(7) });
      const { orgs, nodes } = await network.records();
      expect(orgs.at(-1)).toMatchObject({ orgId: 'DEF', status: 2 });
      expect(nodes.at(-1)).toMatchObject({ orgId: 'DEF', status: 1 });
    },
  );

  it.each(elsewhere)(
    'whose recovery is started with another %s stays denylisted, with a vote pending',
    async (_, node) => {
      await network.succeed(ORG_ADMIN, update(3));
      const events = await network.succeed(NETWORK_ADMIN, recover('start', node));
      expect(events).toEqual([{ name: 'VotingItemAdded', networkAdminOrg: 'ADMINORG' }]);
      await network.succeed(NETWORK_ADMIN, recover('approve', node));
      const { nodes, pending } = await network.records();
      expect(nodes.at(-1)?.status).toBe(4);
      expect(pending.operation).toBe(0);
    },
  );
});
