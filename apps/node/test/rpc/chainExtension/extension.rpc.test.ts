import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PrivacyNetwork } from '../../privacy-network.js';
import { creationOf, setTo } from '../privacy/private-contracts.js';
import { ExtensionClient, startExtensionNetwork } from './extension-client.js';

/** Places of nodes: two parties, the one that is invited, and another. */
const [CREATOR, PARTY, INVITED, OUTSIDER] = [0, 1, 2, 3] as const;

let network: PrivacyNetwork;
let client: ExtensionClient;
beforeAll(async () => {
  network = await startExtensionNetwork(4);
  client = new ExtensionClient(network);
});
afterAll(() => network?.stop());

/** A contract of the creator and the party, with a value. Out: its address */
async function create(value: number): Promise<string> {
  const receipts = await client.mine(CREATOR, {
    data: creationOf('SimpleStorage', value),
    parties: [PARTY],
  });
  return receipts[CREATOR]?.contractAddress ?? '';
}

describe('an extension that both sides approve', () => {
  it('gives the invited party the state of the contract, and nobody else (P-37, P-40)', async () => {
    const contract = await create(42);
    await client.mine(PARTY, { to: contract, data: setTo(129), parties: [CREATOR] });
    await client.mine(CREATOR, { to: contract, data: setTo(999), parties: [PARTY] });
    expect(await client.values(contract)).toEqual([999, 999, '0x', '0x']);

    const { result: creation } = await client.extend(CREATOR, INVITED, contract);
    const receipts = await Promise.all(network.nodes.map((node) => node.mined(creation as string)));
    expect(receipts.map(({ status }) => status)).toEqual(['0x1', '0x1', '0x1', '0x1']);
    const management = receipts[CREATOR]?.contractAddress ?? '';
    const { input } = await client
      .nodeAt(CREATOR)
      .result<{ input: string }>('eth_getTransactionByHash', [creation]);
    const entry = {
      managementContractAddress: management,
      contractExtended: contract,
      creationData: Buffer.from(input.slice(2), 'hex').toString('base64'),
      initiator: client.account(CREATOR),
      recipient: client.account(INVITED),
      recipientPtmKey: client.key(INVITED),
    };
    for (const index of [CREATOR, INVITED]) expect(await client.active(index)).toEqual([entry]);
    for (const index of [PARTY, OUTSIDER]) expect(await client.active(index)).toEqual([]);
    for (const index of [CREATOR, INVITED]) expect(await client.status(index, management)).toBe('ACTIVE');
    expect((await client.call(OUTSIDER, 'getExtensionStatus', management)).error?.message).toBe(
      'no contract code at given address',
    );

    const voted = await client.minedAll(await client.approve(INVITED, management, true));
    expect(voted.map(({ status }) => status)).toEqual(['0x1', '0x1', '0x1', '0x1']);
    await client.ended([CREATOR, INVITED], management);
    expect(await client.values(contract)).toEqual([999, 999, 999, '0x']);
    const roots = await client.storageRoots(contract);
    expect(roots.slice(0, 3)).toEqual([roots[CREATOR], roots[CREATOR], roots[CREATOR]]);
    expect(roots[OUTSIDER]).not.toBe(roots[CREATOR]);

    const later = await client.statuses(INVITED, { to: contract, data: setTo(7), parties: [CREATOR, PARTY] });
    expect(later).toEqual(['0x1', '0x1', '0x1', '0x1']);
    expect(await client.values(contract)).toEqual([7, 7, 7, '0x']);
  });
});
