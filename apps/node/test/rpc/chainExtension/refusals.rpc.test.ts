import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { startNode } from '../../running-node.js';
import type { PrivacyNetwork } from '../../privacy-network.js';
import { creationOf } from '../privacy/private-contracts.js';
import { ExtensionClient, startExtensionNetwork } from './extension-client.js';

/** Places of nodes: one party, another, and the one that is invited. */
const [CREATOR, OTHER, INVITED] = [0, 1, 2] as const;
const STRANGER = `0x${'57'.repeat(20)}`;
const ZERO = `0x${'00'.repeat(20)}`;
const NO_KEY = 'not a key of a manager';

let network: PrivacyNetwork;
let client: ExtensionClient;
/** A private contract of the creator alone, and a public one. */
let contract: string;
let open: string;
beforeAll(async () => {
  network = await startExtensionNetwork(3);
  client = new ExtensionClient(network);
  [contract, open] = [await create([]), await create(undefined)];
});
afterAll(() => network?.stop());

async function create(parties: readonly number[] | undefined): Promise<string> {
  const data = creationOf('SimpleStorage', 5);
  const receipts = await client.mine(CREATOR, { data, ...(parties && { parties }) });
  return receipts[CREATOR]?.contractAddress ?? '';
}

const refused = (message: string, reason: string) => ({
  error: { code: -32_000, message, data: { reason } },
});
const txArgs = (index: number, ...parties: readonly number[]) => ({
  from: client.account(index),
  privateFor: parties.map((party) => client.key(party)),
});

describe('chainExtension_extendContract', () => {
  const extend = (index: number, ...params: readonly unknown[]) =>
    client.nodeAt(index).call('chainExtension_extendContract', params);

  it('is refused for an address that is not a private contract of this node', async () => {
    const [key, recipient, own] = [client.key(INVITED), client.account(INVITED), txArgs(CREATOR, INVITED)];
    const isPublic = refused('extending a public contract!!! not allowed', 'NOT_A_PRIVATE_CONTRACT');
    expect(await extend(CREATOR, open, key, recipient, own)).toMatchObject(isPublic);
    expect(await extend(CREATOR, client.account(OTHER), key, recipient, own)).toMatchObject(isPublic);
    const unknown = refused(
      'extending a non-existent private contract!!! not allowed',
      'NOT_A_PRIVATE_CONTRACT',
    );
    expect(await extend(CREATOR, STRANGER, key, recipient, own)).toMatchObject(unknown);
    // A node that is not a party has an account there, without code (P-41).
    expect(await extend(OTHER, contract, key, recipient, txArgs(OTHER, INVITED))).toMatchObject(unknown);
  });

  it('is refused for invalid recipients and keys', async () => {
    const [key, recipient, own] = [client.key(INVITED), client.account(INVITED), txArgs(CREATOR, INVITED)];
    expect(await extend(CREATOR, contract, key, ZERO, own)).toMatchObject(
      refused('invalid recipient address', 'INVALID_RECIPIENT'),
    );
    expect(await extend(CREATOR, contract, key, own.from, own)).toMatchObject(
      refused(
        'account accepting the extension cannot be the account initiating extension',
        'INVALID_RECIPIENT',
      ),
    );
    expect(await extend(CREATOR, contract, NO_KEY, recipient, own)).toMatchObject(
      refused('invalid new recipient transaction manager key provided', 'INVALID_RECIPIENT_PTM_KEY'),
    );
    expect(await extend(CREATOR, contract, key, recipient, txArgs(CREATOR, OTHER))).toMatchObject(
      refused(
        'mismatch between recipient transaction manager key and privateFor argument',
        'RECIPIENT_PTM_KEY_MISMATCH',
      ),
    );
    expect(await extend(CREATOR, contract, key, recipient, txArgs(CREATOR, INVITED, OTHER))).toMatchObject(
      refused('invalid transaction manager keys given in privateFor argument', 'RECIPIENT_PTM_KEY_MISMATCH'),
    );
    expect(await extend(CREATOR, contract, key, recipient, { ...own, from: STRANGER })).toMatchObject(
      refused(`no wallet found for account ${STRANGER}`, 'UNKNOWN_ACCOUNT'),
    );
  });
});

describe('an active extension', () => {
  let management: string;
  beforeAll(async () => {
    management = await client.begin(CREATOR, INVITED, contract);
  });

  const approve = (index: number, ...params: readonly unknown[]) =>
    client.nodeAt(index).call('chainExtension_approveExtension', params);
  const cancel = (index: number, ...params: readonly unknown[]) =>
    client.nodeAt(index).call('chainExtension_cancelExtension', params);
  const status = (index: number, address: string) =>
    client.nodeAt(index).call('chainExtension_getExtensionStatus', [address]);

  it('admits no second one of the contract, before any other check', async () => {
    const again = refused(
      'contract extension in progress for the given contract address',
      'EXTENSION_IN_PROGRESS',
    );
    expect(await client.extend(CREATOR, OTHER, contract)).toMatchObject(again);
    const params = [contract, NO_KEY, ZERO, { from: STRANGER }];
    expect(await client.call(CREATOR, 'extendContract', ...params)).toMatchObject(again);
    const another = await create([]);
    const both = await Promise.all([0, 1].map(() => client.extend(CREATOR, INVITED, another)));
    expect(both.filter(({ error }) => error === undefined)).toHaveLength(1);
    expect(both.find(({ error }) => error !== undefined)).toMatchObject(again);
  });

  it('is known by its management contract, and no other contract is one', async () => {
    const none = refused('no contract code at given address', 'NO_MANAGEMENT_CONTRACT');
    for (const address of [STRANGER, open, contract]) {
      expect(await status(CREATOR, address)).toMatchObject(none);
      expect(await approve(CREATOR, address, true, txArgs(CREATOR, INVITED))).toMatchObject(none);
      expect(await cancel(CREATOR, address, txArgs(CREATOR, INVITED))).toMatchObject(none);
    }
    expect(await status(OTHER, management)).toMatchObject(none);
    expect((await status(INVITED, management)).result).toBe('ACTIVE');
  });

  it('is approved by its voters only, each once, and with the initiator as a party', async () => {
    const parties = refused('must specify private participants', 'PRIVATE_PARTICIPANTS_MISSING');
    const { from } = txArgs(INVITED);
    expect(await approve(INVITED, management, true, { from })).toMatchObject(parties);
    const foreign = { ...txArgs(INVITED, CREATOR), from: client.account(OTHER) };
    expect(await approve(INVITED, management, true, foreign)).toMatchObject(
      refused(`no wallet found for account ${client.account(OTHER)}`, 'UNKNOWN_ACCOUNT'),
    );
    const untold = await approve(INVITED, management, true, txArgs(INVITED, OTHER));
    expect(untold.error).toMatchObject({
      message: `privateFor must contain the transaction manager key of the initiating node: ${client.key(CREATOR)}`,
      data: { reason: 'PRIVATE_PARTICIPANTS_MISSING' },
    });
    await client.initiatorVoted(CREATOR, management);
    expect(await approve(CREATOR, management, true, txArgs(CREATOR, INVITED))).toMatchObject(
      refused('already voted', 'ALREADY_VOTED'),
    );
  });

  it('is cancelled by its initiator alone, and then there is nothing left to vote on (P-39)', async () => {
    expect(await cancel(INVITED, management, txArgs(INVITED, CREATOR))).toMatchObject(
      refused('account is not the creator of this extension request', 'NOT_THE_CREATOR'),
    );
    const { from } = txArgs(CREATOR);
    expect(await cancel(CREATOR, management, { from })).toMatchObject(
      refused('must specify private participants', 'PRIVATE_PARTICIPANTS_MISSING'),
    );
    expect(await cancel(CREATOR, management, { ...txArgs(CREATOR, INVITED), from: STRANGER })).toMatchObject(
      refused(`no wallet found for account ${STRANGER}`, 'UNKNOWN_ACCOUNT'),
    );
    const receipts = await client.minedAll(await cancel(CREATOR, management, txArgs(CREATOR, INVITED)));
    expect(receipts.map(({ status: own }) => own)).toEqual(['0x1', '0x1', '0x1']);
    await client.ended([CREATOR, INVITED], management);
    expect(await client.values(contract)).toEqual([5, '0x', '0x']);
    expect(await cancel(CREATOR, management, { from: STRANGER })).toMatchObject(
      refused('contract extension process complete. nothing to cancel', 'EXTENSION_COMPLETE'),
    );
    expect(await approve(INVITED, management, true, { from: STRANGER })).toMatchObject(
      refused('contract extension process complete. nothing to accept', 'EXTENSION_COMPLETE'),
    );
  });
});

describe('an extension to an account whose key no node holds', () => {
  it('can be approved by no account of the invited node', async () => {
    const own = await create([]);
    const params = [own, client.key(INVITED), STRANGER, txArgs(CREATOR, INVITED)];
    const [receipt] = await client.minedAll(await client.call(CREATOR, 'extendContract', ...params));
    const management = receipt?.contractAddress ?? '';
    await until(
      async () => (await client.call(INVITED, 'getExtensionStatus', management)).result === 'ACTIVE',
    );
    expect(await client.approve(INVITED, management, true)).toMatchObject(
      refused('account is not acceptor of this extension request', 'NOT_THE_ACCEPTOR'),
    );
  });
});

describe('an extension that the recipient declines', () => {
  it('ends at once, and may be started again', async () => {
    const own = await create([]);
    const management = await client.begin(CREATOR, INVITED, own);
    await client.minedAll(await client.approve(INVITED, management, false));
    await client.ended([CREATOR, INVITED], management);
    expect(await client.values(own)).toEqual([5, '0x', '0x']);
    const again = await client.begin(CREATOR, INVITED, own);
    expect(again).not.toBe(management);
    const votes = await Promise.all([0, 1].map(() => client.approve(INVITED, again, true)));
    const statuses = await Promise.all(
      votes.flatMap(({ result }) =>
        result === undefined ? [] : [client.nodeAt(INVITED).mined(result as string)],
      ),
    );
    // Of two that are sent at the same time one counts; the other is refused, or fails.
    expect(statuses.filter(({ status }) => status === '0x1')).toHaveLength(1);
    await client.ended([CREATOR, INVITED], again);
    expect(await client.values(own)).toEqual([5, '0x', 5]);
  });
});

describe('a node without a manager', () => {
  it('has no extensions, and starts none', async () => {
    const node = await startNode([], { modules: 'chainExtension,eth' });
    try {
      expect(await node.result('chainExtension_activeExtensionContracts')).toEqual([]);
      const [from] = node.accounts;
      expect(await node.result('eth_getPSI')).toBe('private');
      const approval = [STRANGER, STRANGER, { from, privateFor: [] }];
      expect(await node.call('chainExtension_generateExtensionApprovalUuid', approval)).toMatchObject(
        refused('PrivateTransactionManager is not enabled', 'PRIVACY_NOT_AVAILABLE'),
      );
      const calls = [
        ['chainExtension_getExtensionStatus', [STRANGER]],
        ['chainExtension_inspect', [STRANGER]],
        ['chainExtension_cancelExtension', [STRANGER, { from, privateFor: [] }]],
        ['chainExtension_approveExtension', [STRANGER, true, { from, privateFor: [] }]],
        ['chainExtension_extendContract', [STRANGER, NO_KEY, STRANGER, { from, privateFor: [] }]],
      ] as const;
      for (const [method, params] of calls) {
        expect(await node.call(method, params)).toMatchObject(
          refused('PrivateTransactionManager is not enabled', 'PRIVACY_NOT_AVAILABLE'),
        );
      }
    } finally {
      await node.stop();
    }
  });
});
