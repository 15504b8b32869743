import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { privacyGenesis, recordedAccounts, type PrivacyNetwork } from '../../privacy-network.js';
import { startNode } from '../../running-node.js';
import { connect } from '../../validator-network.js';
import { creationOf, setTo } from '../privacy/private-contracts.js';
import { ExtensionClient, MODULES, startExtensionNetwork } from './extension-client.js';

/** Places of nodes: two parties, the one that is invited, and another. */
const [CREATOR, PARTY, INVITED, OUTSIDER] = [0, 1, 2, 3] as const;

let network: PrivacyNetwork;
let client: ExtensionClient;
beforeAll(async () => {
  network = await startExtensionNetwork(4);
  client = new ExtensionClient(network);
});
afterAll(() => network?.stop());

/** What the first test extended, and the block at which it ended. */
let extended: { readonly contract: string; readonly management: string; readonly height: number };
const managerOf = (index: number) => network.managers[index] as PrivacyNetwork['managers'][number];

/**
 * A contract of the creator and the party, with a value.
 * @returns its address
 */
async function create(value: number): Promise<string> {
  const receipts = await client.mine(CREATOR, {
    data: creationOf('SimpleStorage', value),
    parties: [PARTY],
  });
  return receipts[CREATOR]?.contractAddress ?? '';
}

describe('an extension that both sides approve', () => {
  it('gives the state of the contract to the invited party only (P-37, P-40)', async () => {
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
    extended = {
      contract,
      management,
      height: Number(await client.nodeAt(INVITED).result('eth_blockNumber')),
    };
  });

  it('has the same result when the chain is followed from its beginning', async () => {
    const late = await startNode(['--ptm-url', managerOf(INVITED).url, '--ptm-timeout', '60s'], {
      genesis: privacyGenesis(recordedAccounts(4)),
      nodeKey: Buffer.alloc(32, 0x61),
      modules: MODULES,
    });
    try {
      await connect([client.nodeAt(CREATOR), late]);
      const { contract, management } = extended;
      await until(async () => Number(await late.result('eth_blockNumber')) >= extended.height);
      await until(
        async () => (await late.call('chainExtension_getExtensionStatus', [management])).result === 'DONE',
      );
      const invited = client.nodeAt(INVITED);
      for (let height = 1; height <= extended.height; height++) {
        const [root, again] = await Promise.all(
          [invited, late].map((node) => node.result('debug_privateStateRoot', [height])),
        );
        expect([height, again]).toEqual([height, root]);
      }
      expect(await late.result('chainExtension_activeExtensionContracts')).toEqual([]);
      expect(await late.result('eth_getCode', [contract])).toBe(
        await invited.result('eth_getCode', [contract]),
      );
    } finally {
      await late.stop();
    }
  });
});
