import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeOperation, type PermissionOperation } from '@tetrad/node-permission-contracts';
import { ZERO_ADDRESS } from '@tetrad/types';
import { PermissionClient } from '../../permission-client.js';
import {
  ADMIN,
  BANKER,
  GUEST,
  UNHELD,
  OTHER_ADMIN,
  foreseenAddresses,
  startPermissioned,
} from '../../permissioned-network.js';
import { enodeOf } from '../../validator-network.js';
import { BANK_NODE, NAMED_NODE } from './enodes.js';

let client: PermissionClient;
let ownNode: string;
beforeAll(async () => {
  client = new PermissionClient(await startPermissioned('v2'));
  ownNode = await enodeOf(client.node);
});
afterAll(() => client.node.stop());

const NOT_NETWORK_ADMIN = 'Operation can be performed by network admin only. Account not a network admin.';
const NOT_ORG_ADMIN = 'Operation can be performed by org admin only. Account not a org admin.';

describe('an organization', () => {
  const add = (orgId: string, url: string, account: string, from = ADMIN) =>
    client.refused('chainPermission_addOrg', [orgId, url, account], from);
  const approve = (orgId: string, url: string, account: string, from = ADMIN) =>
    client.refused('chainPermission_approveOrg', [orgId, url, account], from);

  it('is refused by the first rule that its proposal breaks', async () => {
    expect(await add('', '', ZERO_ADDRESS, UNHELD)).toBe('Invalid account id');
    expect(await add('', 'x', ZERO_ADDRESS, GUEST)).toBe('Invalid input');
    expect(await add('A.B', 'x', ADMIN, GUEST)).toBe('Org id cannot contain special characters');
    expect(await add('NETWORK', 'x', ADMIN, GUEST)).toBe(NOT_NETWORK_ADMIN);
    expect(await add('NETWORK', 'x', ADMIN)).toBe('Org already exist');
    expect(await add('BANK', 'x', ADMIN)).toBe('Invalid enode id');
    expect(await add('BANK', NAMED_NODE, ADMIN)).toBe('Hostname not supported in the network');
    expect(await add('BANK', ownNode, ADMIN)).toBe('EnodeId already part of network.');
    expect(await add('BANK', BANK_NODE, ADMIN)).toBe('Account already in use in another organization');
  });

  it('has nothing to approve before it is proposed', async () => {
    expect(await approve('BANK', BANK_NODE, BANKER)).toBe('Nothing to approve');
  });

  it('waits with its node and its admin until most network admins have approved', async () => {
    const params = ['BANK', BANK_NODE, BANKER];
    await client.done('chainPermission_addOrg', params, ADMIN);
    expect(await client.orgStatus('BANK')).toBe(1);
    expect(await client.nodeStatus(BANK_NODE)).toBe(1);
    expect(await client.account(BANKER)).toMatchObject({ orgId: 'BANK', roleId: 'ORGADMIN', status: 1 });
    expect(await add('NETWORK', 'x', ADMIN)).toBe('Pending approvals for the organization. Approve first');

    expect(await approve('BANK', BANK_NODE, BANKER, UNHELD)).toBe('Invalid account id');
    expect(await approve('BANK', BANK_NODE, BANKER, GUEST)).toBe(NOT_NETWORK_ADMIN);
    expect(await approve('OTHER', BANK_NODE, BANKER)).toBe('Nothing to approve');
    await client.done('chainPermission_approveOrg', params, ADMIN);
    // A second vote has no effect: the contracts revert it.
    await client.done('chainPermission_approveOrg', params, ADMIN);
    expect(await client.orgStatus('BANK')).toBe(1);
    await client.done('chainPermission_approveOrg', params, OTHER_ADMIN);
    expect(await client.orgStatus('BANK')).toBe(2);
    expect(await client.nodeStatus(BANK_NODE)).toBe(2);
    expect(await client.account(BANKER)).toMatchObject({ isOrgAdmin: true, status: 2 });
  });

  it('is suspended and active again by most votes, and its accounts with it', async () => {
    const update = (orgId: string, action: unknown, from = ADMIN) =>
      client.refused('chainPermission_updateOrgStatus', [orgId, action], from);
    expect(await update('GHOST', 9, UNHELD)).toBe('Invalid account id');
    expect(await update('GHOST', 9, GUEST)).toBe(NOT_NETWORK_ADMIN);
    expect(await update('GHOST', 9)).toBe('Operation not allowed');
    expect(await update('NETWORK', 1)).toBe('Operation not allowed');
    expect(await update('GHOST', 1)).toBe('Org does not exist');
    expect(await update('BANK', 2)).toBe('Operation not allowed');

    const transfer = { from: BANKER, to: ADMIN };
    expect(await client.allowed(transfer)).toBe(true);
    await client.done('chainPermission_updateOrgStatus', ['BANK', 1], ADMIN);
    expect(await client.orgStatus('BANK')).toBe(3);
    const vote = (action: unknown, from = ADMIN) =>
      client.refused('chainPermission_approveOrgStatus', ['BANK', action], from);
    expect(await vote(1, UNHELD)).toBe('Invalid account id');
    expect(await vote(9, GUEST)).toBe(NOT_NETWORK_ADMIN);
    expect(await vote(9)).toBe('Operation not allowed');
    expect(await vote(2)).toBe('Nothing to approve');
    for (const voter of [ADMIN, OTHER_ADMIN])
      await client.done('chainPermission_approveOrgStatus', ['BANK', 1], voter);
    expect(await client.orgStatus('BANK')).toBe(4);
    expect(await client.allowed(transfer)).toBe(false);

    await client.done('chainPermission_updateOrgStatus', ['BANK', 2], OTHER_ADMIN);
    expect(await client.orgStatus('BANK')).toBe(5);
    for (const voter of [ADMIN, OTHER_ADMIN])
      await client.done('chainPermission_approveOrgStatus', ['BANK', 2], voter);
    expect(await client.orgStatus('BANK')).toBe(2);
    expect(await client.allowed(transfer)).toBe(true);
  });
});

describe('a sub-organization', () => {
  const add = (parent: string, orgId: string, url = '', from = ADMIN) =>
    client.refused('chainPermission_addSubOrg', [parent, orgId, url], from);

  it('is created at once, and is refused by the first rule that it breaks', async () => {
    expect(await add('GHOST', '', 'x', UNHELD)).toBe('Invalid account id');
    expect(await add('GHOST', '', 'x', GUEST)).toBe('Invalid input');
    expect(await add('GHOST', 'A.B', 'x', GUEST)).toBe('Org id cannot contain special characters');
    expect(await add('GHOST', 'ONE', 'x', GUEST)).toBe('Org does not exist');
    expect(await add('NETWORK', 'ONE', 'x', GUEST)).toBe(NOT_ORG_ADMIN);
    expect(await add('BANK', 'ONE', 'x')).toBe(NOT_ORG_ADMIN);
    expect(await add('NETWORK', 'ONE', 'x')).toBe('Invalid enode id');
    expect(await add('NETWORK', 'ONE', ownNode)).toBe('EnodeId already part of network.');
    await client.done('chainPermission_addSubOrg', ['NETWORK', 'ONE', ''], ADMIN);
    expect(await client.orgStatus('NETWORK.ONE')).toBe(2);
    expect(await add('NETWORK', 'ONE', 'x')).toBe('Org already exist');
  });

  it('is limited in depth and breadth', async () => {
    await client.done('chainPermission_addSubOrg', ['NETWORK.ONE', 'DEEP', ''], ADMIN);
    expect(await add('NETWORK.ONE.DEEP', 'DEEPER')).toBe('Max depth for sub orgs reached');
    await client.done('chainPermission_addSubOrg', ['NETWORK', 'TWO', ''], OTHER_ADMIN);
    expect(await add('NETWORK', 'THREE')).toBe('Max breadth for sub orgs reached');
    expect(await client.refused('chainPermission_updateOrgStatus', ['NETWORK.ONE', 1], ADMIN)).toBe(
      'Org is not a master org',
    );
  });
});

describe('organizations', () => {
  it('are listed in the order of creation, each with its children', async () => {
    const org = (fullOrgId: string, subOrgList: readonly string[] | null) => {
      const parts = fullOrgId.split('.');
      return {
        orgId: parts.at(-1),
        fullOrgId,
        parentOrgId: parts.slice(0, -1).join('.'),
        ultimateParent: parts[0],
        level: parts.length,
        subOrgList,
        status: 2,
      };
    };
    const expected = [
      org('NETWORK', ['NETWORK.ONE', 'NETWORK.TWO']),
      org('BANK', null),
      org('NETWORK.ONE', ['NETWORK.ONE.DEEP']),
      org('NETWORK.ONE.DEEP', null),
      org('NETWORK.TWO', null),
    ];
    const listed = await client.node.result('chainPermission_orgList');
    expect(listed).toEqual(expected);
    expect(JSON.stringify(listed)).toBe(JSON.stringify(expected));
  });

  it('have their own details, null for absent ones', async () => {
    const details = await client.node.result<object>('chainPermission_getOrgDetails', ['BANK']);
    expect(details).toEqual({
      nodeList: [{ orgId: 'BANK', url: BANK_NODE, status: 2 }],
      roleList: [
        { orgId: 'BANK', roleId: 'ORGADMIN', isVoter: true, isAdmin: true, access: 3, active: true },
      ],
      acctList: [{ orgId: 'BANK', roleId: 'ORGADMIN', acctId: BANKER, isOrgAdmin: true, status: 2 }],
      subOrgList: null,
    });
    expect(Object.keys(details)).toEqual(['nodeList', 'roleList', 'acctList', 'subOrgList']);
    expect(await client.node.result('chainPermission_getOrgDetails', ['NETWORK.ONE'])).toEqual({
      nodeList: null,
      roleList: null,
      acctList: null,
      subOrgList: ['NETWORK.ONE.DEEP'],
    });
    expect((await client.node.call('chainPermission_getOrgDetails', ['ONE'])).error).toMatchObject({
      code: -32000,
      message: 'Org does not exist',
    });
  });
});

describe('ids that an admin gives the contracts itself', () => {
  const call = async (operation: PermissionOperation) => {
    const data = encodeOperation('v2', operation);
    const request = { from: ADMIN, to: foreseenAddresses().interface, data, gas: '0x1000000' };
    return client.node.mined(await client.node.result<string>('eth_sendTransaction', [request]));
  };
  const NO_NODE = { url: '', enodeId: '', ip: '', port: 0, raftPort: 0 };
  const ID = 'NETWORK.ONE.\udcff\u202e\u200b';

  it('are listed and found whatever their bytes are, and are in ASCII where people read them', async () => {
    const orgId = ID.split('.').at(-1) as string;
    const added = await call({ name: 'addSubOrg', parentOrgId: 'NETWORK.ONE', orgId, node: NO_NODE });
    expect(added.status).toBe('0x1');
    expect(await client.orgStatus(ID)).toBe(2);
    const details = (id: string) => client.node.call('chainPermission_getOrgDetails', [id]);
    expect((await details(ID)).result).toMatchObject({ subOrgList: null });
    for (const other of ['NETWORK.ONE.\udcfe\u202e\u200b', 'NETWORK.ONE.\ufffd\u202e\u200b'])
      expect((await details(other)).error?.message).toBe('Org does not exist');
    expect(await client.node.result('chainPermission_explain', ['org', ID])).toMatchObject({
      reason: '"NETWORK.ONE.\\udcff\\u202e\\u200b" is approved',
    });
  });

  it('of 5 kB are left out, without making the node unready', async () => {
    const role = { orgId: 'NETWORK', access: 1, isVoter: false, isAdmin: false };
    const roleId = 'R'.repeat(5_000);
    expect((await call({ name: 'addNewRole', ...role, roleId })).status).toBe('0x1');
    expect(await client.role('NETWORK', roleId)).toBeUndefined();
    expect((await fetch(`${client.node.opsUrl}/readyz`)).status).toBe(200);
    const metrics = await (await fetch(`${client.node.opsUrl}/metrics`)).text();
    expect(metrics).toMatch(/^node_permission_records_left_out(?:\{[^}]*\})? 1$/m);
  });

  it('are refused by the methods when they are too long, or are not text', async () => {
    const add = (roleId: string) =>
      client.node.call('chainPermission_addNewRole', ['NETWORK', roleId, 1, false, false, { from: ADMIN }]);
    expect((await add('R'.repeat(5_000))).error).toMatchObject({ code: -32602, data: { field: 'roleId' } });
    expect((await add('\ud800')).error).toMatchObject({ code: -32000, message: 'Invalid input' });
  });
});
