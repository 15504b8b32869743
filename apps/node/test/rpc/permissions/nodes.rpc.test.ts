import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PermissionClient } from '../../permission-client.js';
import { ADMIN, GUEST, UNHELD, OTHER_ADMIN, startPermissioned } from '../../permissioned-network.js';
import { enodeOf } from '../../validator-network.js';
import { BANK_NODE, NAMED_NODE, SPARE_NODE, moved, nodeIdOf } from './enodes.js';

let client: PermissionClient;
let ownNode: string;
beforeAll(async () => {
  client = new PermissionClient(await startPermissioned('v2'));
  ownNode = await enodeOf(client.node);
  await client.done('chainPermission_addSubOrg', ['NETWORK', 'DESK', ''], ADMIN);
});
afterAll(() => client.node.stop());

const NOT_NETWORK_ADMIN = 'Operation can be performed by network admin only. Account not a network admin.';
const NOT_ORG_ADMIN = 'Operation can be performed by org admin only. Account not a org admin.';
const IN_USE = 'EnodeId already part of network.';

const mayConnect = (url: string, host = '10.0.0.51', ...ports: number[]) =>
  client.node.result<boolean>('chainPermission_connectionAllowed', [
    nodeIdOf(url),
    host,
    ...(ports.length === 0 ? [21000] : ports),
  ]);

describe('a node', () => {
  const add = (orgId: string, url: string, from = ADMIN) =>
    client.refused('chainPermission_addNode', [orgId, url], from);

  it('is added to one organization, by the admin of that', async () => {
    expect(await add('GHOST', '', UNHELD)).toBe('Invalid account id');
    expect(await add('GHOST', '', GUEST)).toBe('Invalid input');
    expect(await add('GHOST', 'x', GUEST)).toBe('Org does not exist');
    expect(await add('NETWORK', 'x', GUEST)).toBe(NOT_ORG_ADMIN);
    expect(await add('NETWORK', 'x')).toBe('Invalid enode id');
    expect(await add('NETWORK', nodeIdOf(BANK_NODE))).toBe('Invalid enode id');
    expect(await add('NETWORK', NAMED_NODE)).toBe('Hostname not supported in the network');
    expect(await add('NETWORK', ownNode)).toBe(IN_USE);
    await client.done('chainPermission_addNode', ['NETWORK.DESK', BANK_NODE], ADMIN);
    expect(await client.nodeStatus(BANK_NODE)).toBe(2);
    expect(await add('NETWORK', BANK_NODE)).toBe(IN_USE);
    expect(await add('NETWORK', moved(BANK_NODE))).toBe(IN_USE);
  });

  it('is listed as the contracts store it', async () => {
    const bare = SPARE_NODE.replace('?discport=0', '');
    await client.done('chainPermission_addNode', ['NETWORK', `${bare}?raftport=50400`], ADMIN);
    expect(await client.node.result('chainPermission_nodeList')).toEqual([
      { orgId: 'NETWORK', url: expect.stringContaining(nodeIdOf(ownNode)), status: 2 },
      { orgId: 'NETWORK.DESK', url: BANK_NODE, status: 2 },
      { orgId: 'NETWORK', url: SPARE_NODE, status: 2 },
    ]);
  });

  it('may connect from its address, by any port', async () => {
    expect(await mayConnect(BANK_NODE)).toBe(true);
    expect(await mayConnect(BANK_NODE, '10.0.0.51', 1, 50400)).toBe(true);
    expect(await mayConnect(BANK_NODE, '10.0.0.52')).toBe(false);
    expect(await mayConnect(NAMED_NODE)).toBe(false);
    expect(await mayConnect(BANK_NODE, 'not an address')).toBe(false);
    const url = await client.node.call('chainPermission_connectionAllowed', [BANK_NODE, '10.0.0.51', 21000]);
    expect(url).toMatchObject({ result: false });
  });

  it('is deactivated and active again, and denylisted', async () => {
    const update = (orgId: string, url: string, action: unknown, from = ADMIN) =>
      client.refused('chainPermission_updateNodeStatus', [orgId, url, action], from);
    const ofDesk = (action: number) =>
      client.done('chainPermission_updateNodeStatus', ['NETWORK.DESK', BANK_NODE, action], OTHER_ADMIN);
    expect(await update('GHOST', '', 9, UNHELD)).toBe('Invalid account id');
    expect(await update('GHOST', '', 9)).toBe('Org does not exist');
    expect(await update('NETWORK', '', 9, GUEST)).toBe(NOT_ORG_ADMIN);
    expect(await update('NETWORK', '', 9)).toBe('Invalid enode id');
    expect(await update('NETWORK', 'x', 9)).toBe('Invalid enode id');
    expect(await update('NETWORK', NAMED_NODE, 9)).toBe('Hostname not supported in the network');
    expect(await update('NETWORK', moved(BANK_NODE), 9)).toBe('Node does not exist');
    expect(await update('NETWORK', BANK_NODE, 9)).toBe(
      'Enode id passed does not belong to the organization.',
    );
    expect(await update('NETWORK.DESK', BANK_NODE, 9)).toBe('Operation not allowed');
    expect(await update('NETWORK.DESK', BANK_NODE, 2)).toBe('Operation not allowed');
    await ofDesk(1);
    expect(await client.nodeStatus(BANK_NODE)).toBe(3);
    expect(await mayConnect(BANK_NODE)).toBe(false);
    await ofDesk(2);
    expect(await client.nodeStatus(BANK_NODE)).toBe(2);
    await ofDesk(3);
    expect(await client.nodeStatus(BANK_NODE)).toBe(4);
    expect(await update('NETWORK.DESK', BANK_NODE, 9)).toBe('Blacklisted node. Operation not allowed');
  });

  it('that is denylisted is recovered by most votes', async () => {
    const recover = (orgId: string, url: string, from = ADMIN) =>
      client.refused('chainPermission_recoverBlackListedNode', [orgId, url], from);
    const approve = (orgId: string, url: string, from = ADMIN) =>
      client.refused('chainPermission_approveBlackListedNodeRecovery', [orgId, url], from);
    expect(await recover('GHOST', '', UNHELD)).toBe('Invalid account id');
    expect(await recover('GHOST', '', GUEST)).toBe(NOT_NETWORK_ADMIN);
    expect(await recover('GHOST', '')).toBe('Org does not exist');
    expect(await recover('NETWORK', '')).toBe('Invalid enode id');
    expect(await recover('NETWORK', NAMED_NODE)).toBe('Hostname not supported in the network');
    expect(await recover('NETWORK', moved(BANK_NODE))).toBe('Node does not exist');
    expect(await recover('NETWORK', BANK_NODE)).toBe('Enode id passed does not belong to the organization.');
    expect(await recover('NETWORK', SPARE_NODE)).toBe('Operation not allowed');
    expect(await approve('NETWORK.DESK', BANK_NODE)).toBe('Blacklisted node. Operation not allowed');

    const params = ['NETWORK.DESK', BANK_NODE];
    await client.done('chainPermission_recoverBlackListedNode', params, ADMIN);
    expect(await client.nodeStatus(BANK_NODE)).toBe(5);
    expect(await client.refused('chainPermission_updateNodeStatus', [...params, 3], ADMIN)).toBe(
      'Operation not allowed',
    );
    expect(await recover('NETWORK.DESK', BANK_NODE)).toBe('Operation not allowed');
    expect(await approve('GHOST', '', UNHELD)).toBe('Invalid account id');
    expect(await approve('GHOST', '', GUEST)).toBe(NOT_NETWORK_ADMIN);
    expect(await approve('GHOST', '')).toBe('Org does not exist');
    expect(await approve('NETWORK', '')).toBe('Invalid enode id');
    expect(await approve('NETWORK', moved(BANK_NODE))).toBe('Node does not exist');
    expect(await approve('NETWORK', BANK_NODE)).toBe('Enode id passed does not belong to the organization.');
    expect(await approve('NETWORK', SPARE_NODE)).toBe('Operation not allowed');
    for (const voter of [ADMIN, OTHER_ADMIN])
      await client.done('chainPermission_approveBlackListedNodeRecovery', params, voter);
    expect(await client.nodeStatus(BANK_NODE)).toBe(2);
    expect(await mayConnect(BANK_NODE)).toBe(true);
  });
});
