import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PermissionClient } from '../../permission-client.js';
import { ADMIN, BANKER, GUEST, OTHER_ADMIN, startPermissioned } from '../../permissioned-network.js';
import { BANK_NODE, NAMED_NODE, SPARE_NODE, moved, nodeIdOf } from './enodes.js';

let client: PermissionClient;
beforeAll(async () => {
  client = new PermissionClient(await startPermissioned('v1'));
});
afterAll(() => client.node.stop());

describe('under the first model, a node', () => {
  it('is kept by the URL that was submitted, host names and ports included', async () => {
    const url = `${SPARE_NODE.replace('?discport=0', '')}?raftport=50400`;
    for (const one of [NAMED_NODE, url])
      await client.done('chainPermission_addNode', ['NETWORK', one], ADMIN);
    const nodes = await client.node.result<{ url: string }[]>('chainPermission_nodeList');
    expect(nodes.map((node) => node.url)).toEqual(expect.arrayContaining([NAMED_NODE, url]));
    expect(await client.refused('chainPermission_addNode', ['NETWORK', SPARE_NODE], ADMIN)).toBe(
      'EnodeId already part of network.',
    );
    expect(await client.refused('chainPermission_updateNodeStatus', ['NETWORK', SPARE_NODE, 1], ADMIN)).toBe(
      'Node does not exist',
    );
    await client.done('chainPermission_updateNodeStatus', ['NETWORK', url, 1], ADMIN);
    expect(await client.nodeStatus(url)).toBe(3);
  });

  it('may connect by its id or its URL, from anywhere', async () => {
    const mayConnect = (id: string) =>
      client.node.result('chainPermission_connectionAllowed', [id, '192.0.2.1', 1]);
    expect(await mayConnect(nodeIdOf(NAMED_NODE))).toBe(true);
    expect(await mayConnect(NAMED_NODE)).toBe(true);
    expect(await mayConnect(SPARE_NODE)).toBe(false);
    expect(await mayConnect(BANK_NODE)).toBe(false);
    expect(await mayConnect('nonsense')).toBe(false);
  });
});

describe('under the first model, an organization', () => {
  it('is approved by the whole URL of its node', async () => {
    const proposal = ['BANK', BANK_NODE, BANKER];
    await client.done('chainPermission_addOrg', proposal, ADMIN);
    const elsewhere = ['BANK', moved(BANK_NODE), BANKER];
    expect(await client.refused('chainPermission_approveOrg', elsewhere, ADMIN)).toBe('Nothing to approve');
    for (const voter of [ADMIN, OTHER_ADMIN])
      await client.done('chainPermission_approveOrg', proposal, voter);
    expect([await client.orgStatus('BANK'), await client.nodeStatus(BANK_NODE)]).toEqual([2, 2]);
  });
});

describe('under the first model, a role', () => {
  it('has access up to 3', async () => {
    const role = (access: number) => ['NETWORK', `ROLE${access}`, access, false, false];
    expect(await client.refused('chainPermission_addNewRole', role(4), ADMIN)).toBe(
      'failed to execute permissions action: invalid access type given',
    );
    for (const access of [0, 1, 2]) await client.done('chainPermission_addNewRole', role(access), ADMIN);
    expect(await client.role('NETWORK', 'ROLE2')).toMatchObject({ access: 2, active: true });
  });

  it.each([
    ['ROLE0', false, false, false],
    ['ROLE1', true, true, false],
    ['ROLE2', true, true, true],
  ])('%s allows transfers: %s, calls: %s, deployments: %s', async (roleId, transfer, call, deployment) => {
    await client.done('chainPermission_addAccountToOrg', [GUEST, 'NETWORK', roleId], ADMIN);
    const transactions = [
      { from: GUEST, to: ADMIN, value: '0x1', gas: '0x186a0' },
      { from: GUEST, to: ADMIN, data: '0x1234', gas: '0x186a0' },
      { from: GUEST, data: '0x00', gas: '0x186a0' },
    ];
    const answers = await Promise.all(transactions.map((transaction) => client.allowed(transaction)));
    expect(answers).toEqual([transfer, call, deployment]);
    for (const [index, transaction] of transactions.entries()) {
      const { error } = await client.node.call('eth_sendTransaction', [transaction]);
      expect(error?.message).toBe(
        answers[index] ? undefined : 'account does not have permission for the transaction',
      );
    }
  });
});
