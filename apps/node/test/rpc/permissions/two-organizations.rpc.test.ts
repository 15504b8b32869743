import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig, parseCommandLine } from '@tetrad/service';
import { until } from '@tetrad/testkit';
import {
  explainArguments,
  explainOptions,
  explainPermissions,
} from '../../../src/commands/explain-command.js';
import { PermissionClient } from '../../permission-client.js';
import {
  ADMIN,
  BANKER,
  NEWCOMER,
  OTHER_ADMIN,
  TELLER,
  startBankNode,
  startPermissioned,
} from '../../permissioned-network.js';
import { enodeOf } from '../../validator-network.js';
import { nodeIdOf } from './enodes.js';

const TRANSFER = { from: TELLER, to: ADMIN, value: '0x1', gas: '0x5208' };
const DEPLOYMENT = { from: TELLER, data: '0x00', gas: '0x186a0' };
const NO_PERMISSION = 'account does not have permission for the transaction';

/** Access of a role for transfers alone. */
const TRANSFERS = 1;

describe.each(['v1', 'v2'] as const)('an organization that joins a network, under %s', (model) => {
  let network: PermissionClient;
  let bank: PermissionClient;
  let bankNode: string;
  beforeAll(async () => {
    const first = await startPermissioned(model);
    network = new PermissionClient(first);
    bank = new PermissionClient(await startBankNode(model, await enodeOf(first)));
    bankNode = await enodeOf(bank.node);
  });
  afterAll(async () => {
    await bank.node.stop();
    await network.node.stop();
  });

  /** What `node permission explain` prints. */
  const command = (words: readonly string[]) => {
    const commandLine = parseCommandLine(
      explainArguments([...words, '--rpc-url', bank.node.url]),
      explainOptions,
    );
    return explainPermissions(
      loadConfig({ service: 'node', options: explainOptions, commandLine, environment: {} }),
    );
  };
  const vote = async (method: string, params: readonly unknown[]) => {
    for (const voter of [ADMIN, OTHER_ADMIN]) await network.done(method, params, voter);
  };
  const send = async (transaction: object) =>
    (await bank.node.call('eth_sendTransaction', [transaction])).error?.message;
  /** As the contracts list the bank's node. */
  const listed = async () => {
    const nodes = await network.node.result<{ url: string }[]>('chainPermission_nodeList');
    return nodes.find(({ url }) => url.includes(nodeIdOf(bankNode)))?.url ?? '';
  };

  it('cannot connect before it is approved, and follows the chain from then on', async () => {
    const params = ['BANK', bankNode, BANKER];
    await network.done('chainPermission_addOrg', params, ADMIN);
    expect(await network.node.result('net_peerCount')).toBe('0x0');
    expect(await bank.node.result('eth_blockNumber')).toBe('0x0');
    await vote('chainPermission_approveOrg', params);
    await until(async () => (await bank.orgStatus('BANK')) === 2);
  });

  it('has its admin make sub-organizations, roles and accounts through its own node', async () => {
    await bank.done('chainPermission_addSubOrg', ['BANK', 'DESK', ''], BANKER);
    for (const orgId of ['BANK', 'BANK.DESK'])
      await bank.done('chainPermission_addNewRole', [orgId, 'TELLER', TRANSFERS, false, false], BANKER);
    expect(await send(TRANSFER)).toBe(NO_PERMISSION);
    await bank.done('chainPermission_addAccountToOrg', [TELLER, 'BANK.DESK', 'TELLER'], BANKER);
    expect(await bank.account(TELLER)).toMatchObject({ orgId: 'BANK.DESK', roleId: 'TELLER', status: 2 });
    expect(await send(TRANSFER)).toBeUndefined();
    expect(await send(DEPLOYMENT)).toBe(NO_PERMISSION);
    expect(await bank.node.result('chainPermission_acctList')).toEqual(
      await network.node.result('chainPermission_acctList'),
    );
  });

  it('finds the rule that refuses it in the error, by a question and by the command', async () => {
    const { error } = await bank.node.call('eth_sendTransaction', [DEPLOYMENT]);
    expect(error?.data).toEqual({ reason: 'ACCOUNT_NOT_PERMITTED', rule: 'ROLE_ACCESS' });
    const explain = (...params: unknown[]) =>
      bank.node.result<Record<string, unknown>>('chainPermission_explain', params);
    const found = await explain('account', TELLER, 'deploy');
    expect(found).toMatchObject({
      isAllowed: false,
      rule: 'ROLE_ACCESS',
      reason: 'the role TELLER of BANK.DESK has access 1, which does not permit a deploy',
      records: { account: { orgId: 'BANK.DESK' }, masterOrg: { orgId: 'BANK' }, role: { access: TRANSFERS } },
    });
    expect(await explain('account', TELLER)).toMatchObject({ isAllowed: true, rule: 'ROLE_ACCESS' });
    expect(await explain('account', NEWCOMER)).toMatchObject({ rule: 'ACCOUNT_UNKNOWN' });
    expect(await explain('account', ADMIN)).toMatchObject({ rule: 'NODE_OF_OTHER_ORG' });
    expect(await explain('node', bankNode, 'connect')).toMatchObject({ rule: 'NODE_APPROVED' });
    expect(await explain('org', 'BANK.DESK')).toMatchObject({ rule: 'ORG_ACTIVE', isAllowed: true });
    const printed = await command(['account', TELLER, '--action', 'deploy']);
    expect(printed.split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(/^refused  by rule ROLE_ACCESS at block \d+$/),
      `reason   ${String(found['reason'])}`,
      `remedy   ${String(found['remedy'])}`,
    ]);
  });

  it('sees who a change would concern before it makes it', async () => {
    const words = ['BANK.DESK', TELLER, '1'];
    const preview = await bank.node.result('chainPermission_previewChange', ['updateAccountStatus', words]);
    expect(preview).toMatchObject({
      changes: expect.arrayContaining([
        { subject: 'account', id: TELLER, action: 'transfer', isAllowed: false },
      ]),
    });
    const change = `updateAccountStatus ${words.join(' ')}`;
    const lines = (await command(['--dry-run', change])).split('\n');
    expect(lines[0]).toMatch(/^\d+ permissions change, seen from block \d+$/);
    expect(lines.slice(1)).toContain(`loses  transfer  account ${TELLER}`);
    await expect(command(['--dry-run', 'updateOrgStatus NOWHERE 1'])).rejects.toThrow(
      'the network has no organization NOWHERE',
    );
    await expect(command(['--dry-run', 'suspend BANK'])).rejects.toThrow('suspend is not one of');
    await expect(command(['account'])).rejects.toThrow('say what to explain');
  });

  it('loses the permissions of its accounts while it is suspended', async () => {
    await network.done('chainPermission_updateOrgStatus', ['BANK', 1], ADMIN);
    await vote('chainPermission_approveOrgStatus', ['BANK', 1]);
    await until(async () => (await bank.orgStatus('BANK')) === 4);
    expect(await send(TRANSFER)).toBe(NO_PERMISSION);
    const another = ['BANK', 'OTHER', TRANSFERS, false, false];
    expect(await bank.refused('chainPermission_addNewRole', another, BANKER)).toBe(
      `failed to execute permissions action: ${NO_PERMISSION}`,
    );
    // Its node still follows the chain, from which it learns of what comes next.
    await network.done('chainPermission_updateOrgStatus', ['BANK', 2], ADMIN);
    await vote('chainPermission_approveOrgStatus', ['BANK', 2]);
    await until(async () => (await bank.orgStatus('BANK')) === 2);
    expect(await send(TRANSFER)).toBeUndefined();
  });

  it('is cut off when it denylists its node, and is recovered by most votes', async () => {
    const url = await listed();
    await bank.node.result('chainPermission_updateNodeStatus', ['BANK', url, 3, { from: BANKER }]);
    await until(async () => (await network.nodeStatus(url)) === 4);
    await until(async () => (await network.node.result('net_peerCount')) === '0x0');
    await network.done('chainPermission_recoverBlackListedNode', ['BANK', url], ADMIN);
    await vote('chainPermission_approveBlackListedNodeRecovery', ['BANK', url]);
    await until(async () => (await bank.nodeStatus(url)) === 2);
  });

  it('gets another admin by most votes, who acts through its nodes only', async () => {
    await network.done('chainPermission_assignAdminRole', ['BANK', NEWCOMER, 'ORGADMIN'], ADMIN);
    expect(await network.account(NEWCOMER)).toMatchObject({ orgId: 'BANK', status: 1 });
    await vote('chainPermission_approveAdminRole', ['BANK', NEWCOMER]);
    expect(await network.account(NEWCOMER)).toMatchObject({ isOrgAdmin: true, status: 2 });
    expect(await network.account(BANKER)).toMatchObject({ isOrgAdmin: false, status: 6 });
    const role = ['BANK', 'OTHER', TRANSFERS, false, false];
    expect(await network.refused('chainPermission_addNewRole', role, NEWCOMER)).toBe(
      'failed to execute permissions action: cannot send transaction from this node',
    );
    await until(async () => (await bank.accountStatus(BANKER)) === 6);
    expect(await bank.refused('chainPermission_addNewRole', role, BANKER)).toBe(
      'Operation can be performed by org admin only. Account not a org admin.',
    );
  });
});
