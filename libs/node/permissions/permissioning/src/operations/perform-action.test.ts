import { describe, expect, it } from '@jest/globals';
import { permissionAbi, type PermissionModel } from '@tetrad/node-permission-contracts';
import { RequestError, ZERO_HASH, hexFromBytes, parseAddress } from '@tetrad/types';
import {
  ADMIN,
  BANK_ADMIN,
  NEW_NODE,
  NOTHING,
  POLICY,
  STRANGER,
  TELLER,
  bankRecords,
} from '../../test/bank-network.js';
import { assignRole } from './account-actions.js';
import { addNode } from './node-actions.js';
import { addRole } from './role-actions.js';
import { addOrg, addSubOrg } from './org-actions.js';
import type { PermissionAction } from './action.js';
import { performAction, type ActionArguments, type ActionTransaction } from './perform-action.js';

const CONTRACT = parseAddress(`0x${'99'.repeat(20)}`);
const ENODE_ID = NEW_NODE.slice(8, 136);

/** The transactions of actions, decoded. */
class Sent {
  readonly transactions: ActionTransaction[] = [];
  rejection: Error | undefined;

  constructor(
    private readonly model: PermissionModel,
    private readonly isRaft = false,
  ) {}

  perform(args: ActionArguments, action: PermissionAction) {
    const sender = {
      accounts: () => [ADMIN, BANK_ADMIN],
      send: (transaction: ActionTransaction) => {
        if (this.rejection !== undefined) return Promise.reject(this.rejection);
        this.transactions.push(transaction);
        return Promise.resolve(ZERO_HASH);
      },
    };
    return performAction(
      {
        records: bankRecords(),
        policy: POLICY,
        naming: { model: this.model, isRaft: this.isRaft, raftHostNames: false },
        pendingItem: () => Promise.resolve(NOTHING),
        interfaceAddress: CONTRACT,
        sender,
      },
      args,
      action,
    );
  }

  call(): { name: string; args: unknown[] } {
    const parsed = permissionAbi(this.model, 'interface').parseTransaction({
      data: hexFromBytes((this.transactions[0] as ActionTransaction).data),
    });
    return { name: parsed?.name ?? '', args: [...(parsed?.args ?? [])] };
  }
}

const ORG = { orgId: 'SHOP', url: NEW_NODE, account: TELLER };

describe('an action', () => {
  it('names a node by its URL under v1', async () => {
    const sent = new Sent('v1');
    await sent.perform({ from: ADMIN }, addOrg(ADMIN, { ...ORG, account: STRANGER }));
    expect(sent.call()).toEqual({
      name: 'addOrg',
      args: ['SHOP', NEW_NODE, expect.stringMatching(new RegExp(STRANGER, 'i'))],
    });
  });

  it('names a node by its parts under v2, with its raft port where there is raft', async () => {
    const url = `${NEW_NODE}&raftport=50400`;
    const [bft, raft] = [new Sent('v2'), new Sent('v2', true)];
    for (const sent of [bft, raft])
      await sent.perform({ from: BANK_ADMIN }, addNode(BANK_ADMIN, { orgId: 'BANK', url }));
    expect(bft.call().args).toEqual(['BANK', ENODE_ID, '10.0.0.5', 21000n, 0n]);
    expect(raft.call().args).toEqual(['BANK', ENODE_ID, '10.0.0.5', 21000n, 50400n]);
  });

  it('leaves the parts of a node empty when it names no node', async () => {
    const sent = new Sent('v2');
    const subOrg = addSubOrg(BANK_ADMIN, { parentOrgId: 'BANK', orgId: 'NEW', url: '' });
    await sent.perform({ from: BANK_ADMIN }, subOrg);
    expect(sent.call().args).toEqual(['BANK', 'NEW', '', '', 0n, 0n]);
  });

  it('is sent to the contract with the given gas and price, and with those of GoQuorum by default', async () => {
    const role = assignRole(BANK_ADMIN, { orgId: 'BANK', account: TELLER, roleId: 'SPARE' });
    const sent = new Sent('v2');
    await sent.perform({ from: BANK_ADMIN }, role);
    await sent.perform({ from: BANK_ADMIN, gas: 90_000n, gasPrice: 7n }, role);
    expect(sent.transactions).toMatchObject([
      { from: BANK_ADMIN, to: CONTRACT, gas: 4_712_384n, gasPrice: 0n },
      { from: BANK_ADMIN, to: CONTRACT, gas: 90_000n, gasPrice: 7n },
    ]);
  });

  it('of an account that is not of this node is refused before any rule is checked, and sends nothing', async () => {
    const sent = new Sent('v2');
    await expect(
      sent.perform({ from: STRANGER }, addOrg(STRANGER, { ...ORG, orgId: '' })),
    ).rejects.toMatchObject({ code: 'INVALID_ACCOUNT', message: 'Invalid account id' });
    await expect(sent.perform({ from: ADMIN }, addOrg(ADMIN, ORG))).rejects.toMatchObject({
      message: 'Account already in use in another organization',
    });
    expect(sent.transactions).toEqual([]);
  });

  it('with a text that the contracts cannot hold is refused, and sends nothing', async () => {
    const sent = new Sent('v2');
    const role = { orgId: 'BANK', access: 1, isVoter: false, isAdmin: false };
    const add = (roleId: string) =>
      sent.perform({ from: BANK_ADMIN }, addRole(BANK_ADMIN, { ...role, roleId }));
    for (const roleId of ['\ud800', '\udcc3\udca9'])
      await expect(add(roleId)).rejects.toMatchObject({ code: 'INVALID_INPUT', message: 'Invalid input' });
    expect(sent.transactions).toEqual([]);
    // A byte that is not UTF-8, as entries of the contracts may have it.
    await add('\udcff');
    expect(hexFromBytes((sent.transactions[0] as ActionTransaction).data)).toContain(`${'0'.repeat(63)}1ff0`);
  });

  it('that is rejected by the pool reports the reason; any other error is passed on unchanged', async () => {
    const sent = new Sent('v2');
    const action = addNode(BANK_ADMIN, { orgId: 'BANK', url: NEW_NODE });
    sent.rejection = new RequestError('ACCOUNT_LOCKED', 'authentication needed: password or unlock');
    await expect(sent.perform({ from: BANK_ADMIN }, action)).rejects.toMatchObject({
      code: 'PERMISSION_ACTION_FAILED',
      message: 'failed to execute permissions action: authentication needed: password or unlock',
    });
    sent.rejection = new Error('the database is gone');
    await expect(sent.perform({ from: BANK_ADMIN }, action)).rejects.toThrow(/^the database is gone$/);
  });
});
