import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chainPermissionMethods } from '@tetrad/api-node';
import { until } from '@tetrad/testkit';
import { PermissionClient } from '../../permission-client.js';
import { ADMIN, GUEST, NEWCOMER, startPermissioned } from '../../permissioned-network.js';
import { reasonOf, startNode, type RunningNode } from '../../running-node.js';

const TRANSFER = { to: ADMIN, value: '0x1', gas: '0x5208' };

describe('on a permissioned node', () => {
  let client: PermissionClient;
  let node: RunningNode;
  beforeAll(async () => {
    node = await startPermissioned('v2');
    client = new PermissionClient(node);
  });
  afterAll(() => node.stop());

  it('an action is a transaction of its sender, with the given gas and price', async () => {
    const call = (roleId: string, args: object) =>
      node.result('chainPermission_addNewRole', [
        'NETWORK',
        roleId,
        1,
        false,
        false,
        { from: ADMIN, ...args },
      ]);
    const count = async () => BigInt(await node.result<string>('eth_getTransactionCount', [ADMIN, 'latest']));
    const before = await count();
    // Everything but sender, gas and price is ignored.
    const ignored = { value: '0x5', nonce: '0x7', to: GUEST, data: '0x1234' };
    expect(await call('FIRST', ignored)).toBe('Action completed successfully');
    expect(await call('SECOND', { gas: 1_000_000, gasPrice: '0x2' })).toBe('Action completed successfully');
    await until(async () => (await count()) === before + 2n);
    const mined = await actionsOf(node, ADMIN);
    expect(mined.slice(-2)).toMatchObject([
      { gas: '0x47e7c0', gasPrice: '0x0', value: '0x0', to: expect.not.stringMatching(GUEST) },
      { gas: '0xf4240', gasPrice: '0x2', value: '0x0' },
    ]);
    expect(await client.role('NETWORK', 'SECOND')).toMatchObject({ active: true });
  });

  it('an action that the contracts revert is mined and changes nothing', async () => {
    await client.done('chainPermission_assignAdminRole', ['NETWORK', GUEST, 'NWADMIN'], ADMIN);
    // One item at most is pending in the network, at which this rule does not look.
    await client.done('chainPermission_assignAdminRole', ['NETWORK', NEWCOMER, 'NWADMIN'], ADMIN);
    expect(await client.account(NEWCOMER)).toBeUndefined();
    expect(await client.accountStatus(GUEST)).toBe(1);
  });

  it('an action that the pool refuses returns the reason', async () => {
    const call = (args: object) =>
      node.call('chainPermission_addNewRole', [
        'NETWORK',
        'THIRD',
        1,
        false,
        false,
        { from: ADMIN, ...args },
      ]);
    expect((await call({ gas: '0x1' })).error).toMatchObject({
      code: -32000,
      message: expect.stringMatching(/^failed to execute permissions action: intrinsic gas too low/),
      data: { reason: 'PERMISSION_ACTION_FAILED' },
    });
  });

  it('arguments are named when they are missing, wrong or too many', async () => {
    const failing = async (params: readonly unknown[]) => {
      const { error } = await node.call('chainPermission_updateOrgStatus', params);
      return [error?.code, error?.message];
    };
    expect(await failing(['NETWORK'])).toEqual([
      -32602,
      'invalid params: action: missing value for required argument',
    ]);
    expect(await failing(['NETWORK', 1])).toEqual([
      -32602,
      'invalid params: txArgs: missing value for required argument',
    ]);
    expect((await failing(['NETWORK', 256, { from: ADMIN }]))[0]).toBe(-32602);
    expect((await failing(['NETWORK', 1, { from: '0x12' }]))[0]).toBe(-32602);
    expect((await failing(['NETWORK', 1, {}]))[0]).toBe(-32602);
    expect(await failing(['NETWORK', 1, { from: ADMIN }, 1])).toEqual([
      -32602,
      'invalid params: params: too many arguments, want at most 3',
    ]);
  });

  it('a permission check covers absent members too', async () => {
    const allowed = (transaction: object) => node.result('chainPermission_transactionAllowed', [transaction]);
    expect(await allowed({ from: ADMIN, ...TRANSFER })).toBe(true);
    expect(await allowed({ from: ADMIN })).toBe(true);
    expect(await allowed({ from: GUEST, ...TRANSFER })).toBe(false);
    expect(await allowed(TRANSFER)).toBe(false);
    const { error } = await node.call('eth_sendTransaction', [{ from: GUEST, ...TRANSFER }]);
    expect(error?.message).toBe('account does not have permission for the transaction');
  });
});

describe('on a node without permission contracts', () => {
  let node: RunningNode;
  beforeAll(async () => {
    node = await startNode([], { modules: 'chainPermission' });
  });
  afterAll(() => node.stop());

  it.each(Object.entries(chainPermissionMethods))(
    '%s reports that permissioning is not enabled',
    async (method, { examples }) => {
      const answer = await node.call(method, [...(examples[0]?.params ?? [])]);
      expect(reasonOf(answer)).toBe('PERMISSIONING_NOT_ENABLED');
      expect(answer.error?.message).toBe('permissioning is not enabled on this node');
    },
  );
});

/** Mined transactions of the account, in the order of the chain. */
async function actionsOf(node: RunningNode, from: string): Promise<Readonly<Record<string, string>>[]> {
  const head = Number(await node.result<string>('eth_blockNumber'));
  const found = [];
  for (let number = 0; number <= head; number++) {
    const block = await node.result<{ transactions: Readonly<Record<string, string>>[] }>(
      'eth_getBlockByNumber',
      [`0x${number.toString(16)}`, true],
    );
    found.push(...block.transactions.filter((transaction) => transaction['from'] === from));
  }
  return found;
}
