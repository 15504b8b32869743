import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import type { PrivacyNetwork } from '../../privacy-network.js';
import { creationOf } from '../privacy/private-contracts.js';
import { ExtensionClient, startExtensionNetwork } from './extension-client.js';

const [CREATOR, INVITED] = [0, 1] as const;

let network: PrivacyNetwork;
let client: ExtensionClient;
beforeAll(async () => {
  network = await startExtensionNetwork(2, { flags: ['--privacy-markers', 'true'] });
  client = new ExtensionClient(network);
});
afterAll(() => network?.stop());

it('an extension works behind privacy markers as without them', async () => {
  const [created] = await client.mine(CREATOR, { data: creationOf('SimpleStorage', 12), parties: [] });
  const inner = await client
    .nodeAt(CREATOR)
    .result<{ contractAddress: string }>('eth_getPrivateTransactionReceipt', [created?.transactionHash]);
  const [marker] = await client.minedAll(await client.extend(CREATOR, INVITED, inner.contractAddress));
  expect(marker?.contractAddress).toBeNull();
  await until(async () => (await client.active(INVITED)).length === 1);
  const [extension] = await client.active(INVITED);
  const management = extension?.managementContractAddress ?? '';
  expect(extension).toMatchObject({
    contractExtended: inner.contractAddress,
    initiator: client.account(CREATOR),
  });
  await client.minedAll(await client.approve(INVITED, management, true));
  await client.ended([CREATOR, INVITED], management);
  expect(await client.values(inner.contractAddress)).toEqual([12, 12]);
  const roots = await client.storageRoots(inner.contractAddress);
  expect(roots[INVITED]).toBe(roots[CREATOR]);
});
