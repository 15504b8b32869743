import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import {
  ADMIN,
  GUEST,
  NETWORK,
  OTHER_ADMIN,
  UNHELD,
  startPermissioned,
} from '../../../apps/node/test/permissioned-network.js';
import { BANK_NODE } from '../../../apps/node/test/rpc/permissions/enodes.js';
import type { RunningNode } from '../../../apps/node/test/running-node.js';
import { TetradRequestError, createTetradClient, type TetradClient } from '../src/index.js';

describe('a network with permissions', () => {
  let node: RunningNode;
  let client: TetradClient;
  beforeAll(async () => {
    node = await startPermissioned('v2', { emptyBlockPeriodSeconds: 1 });
    client = await createTetradClient({ url: node.url, account: ADMIN, pollingInterval: 50 });
  });
  afterAll(() => node?.stop());

  const statusOf = async (orgId: string) =>
    (await client.orgList()).find(({ fullOrgId }) => fullOrgId === orgId)?.status;

  it('says that permissions are enforced', () => {
    expect(client.served).toMatchObject({ hasPermissions: true, hasPrivacy: false });
  });

  it('adds an organization by a vote, with a role and an account, and shows them as records', async () => {
    const org = { orgId: 'BANK', enodeId: BANK_NODE, accountId: GUEST };
    await client.addOrg(org);
    await until(async () => (await statusOf('BANK')) === 'proposed');
    await client.approveOrg(org);
    await client.approveOrg({ ...org, account: OTHER_ADMIN });
    await until(async () => (await statusOf('BANK')) === 'approved');
    expect((await client.getOrgDetails({ orgId: 'BANK' })).acctList).toMatchObject([{ acctId: GUEST }]);
    await client.addNewRole({ orgId: NETWORK, roleId: 'TELLER', access: 'transfers' });
    await until(async () => (await client.roleList()).some(({ roleId }) => roleId === 'TELLER'));
    await client.addAccountToOrg({ orgId: NETWORK, roleId: 'TELLER', acctId: UNHELD });
    await until(async () => (await client.acctList()).some(({ acctId }) => acctId === UNHELD));
    const { acctList, nodeList, subOrgList } = await client.getOrgDetails({ orgId: NETWORK });
    expect(acctList).toContainEqual(
      expect.objectContaining({ acctId: UNHELD, roleId: 'TELLER', status: 'active' }),
    );
    expect(nodeList.every(({ status }) => status === 'approved')).toBe(true);
    expect((await client.nodeList()).map(({ url }) => url)).toContain(BANK_NODE);
    expect(subOrgList).toEqual([]);
  });

  it('explains a decision, and previews a change', async () => {
    const explained = await client.explain({ subject: 'account', id: UNHELD, action: 'deploy' });
    expect(explained).toMatchObject({ isAllowed: false, rule: 'ROLE_ACCESS' });
    expect(explained.records).toMatchObject({ account: { status: 'active' }, org: { status: 'approved' } });
    expect(await client.transactionAllowed({ from: UNHELD, data: '0x00' })).toBe(false);
    const { changes } = await client.previewChange({
      change: 'updateAccountStatus',
      words: [NETWORK, UNHELD, 1],
    });
    expect(changes).toContainEqual(
      expect.objectContaining({ subject: 'account', id: UNHELD, isAllowed: false }),
    );
    await client.updateAccountStatus({ orgId: NETWORK, acctId: UNHELD, action: 'suspend' });
    await until(async () => (await client.acctList()).some(({ status }) => status === 'suspended'));
  });

  it('names the reason for which an action is refused', async () => {
    const refused = client.addOrg({ orgId: NETWORK, enodeId: 'enode://1', accountId: GUEST });
    await expect(refused).rejects.toThrow(TetradRequestError);
    await expect(refused).rejects.toMatchObject({ method: 'chainPermission_addOrg' });
  });
});
