import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@tetrad/testkit';
import { PATIENCE, privacyGenesis, recordedAccounts, type PrivacyNetwork } from '../../privacy-network.js';
import { startNode, type RunningNode } from '../../running-node.js';
import { enodeOf, pass } from '../../validator-network.js';
import { ExtensionClient, MODULES, startExtensionNetwork } from '../chainExtension/extension-client.js';
import { creationOf, setTo } from './private-contracts.js';

/** Places of nodes: two parties of the past, and one that is invited later. */
const [CREATOR, PARTY, INVITED] = [0, 1, 2] as const;

let network: PrivacyNetwork;
let client: ExtensionClient;
let contract: string;
const joined: RunningNode[] = [];
beforeAll(async () => {
  network = await startExtensionNetwork(3);
  client = new ExtensionClient(network);
  const receipts = await client.mine(CREATOR, { data: creationOf('SimpleStorage', 42), parties: [PARTY] });
  contract = receipts[CREATOR]?.contractAddress ?? '';
  await client.mine(PARTY, { to: contract, data: setTo(129), parties: [CREATOR] });
  await pass(client.nodeAt(CREATOR), 3);
});
afterAll(async () => {
  await Promise.all(joined.map((node) => node.stop()));
  await network?.stop();
});

const managerUrl = (index: number) => network.managers[index]?.url ?? '';

/** A node that joins by state with the manager. */
async function join(
  url: string,
  key: number,
  how: readonly string[] = ['--sync', 'state'],
): Promise<RunningNode> {
  const peers = ['--peers', await enodeOf(client.nodeAt(CREATOR)), '--peer-exchange', 'false'];
  const node = await startNode([...how, '--ptm-url', url, ...peers, ...PATIENCE], {
    genesis: privacyGenesis(recordedAccounts(3)),
    nodeKey: Buffer.alloc(32, key),
    modules: MODULES,
  });
  joined.push(node);
  return node;
}

describe('a node with a transaction manager that joins by state', () => {
  it('is refused when the manager holds payloads, with what to do', async () => {
    for (const index of [CREATOR, PARTY])
      await expect(join(managerUrl(index), 0x70 + index)).rejects.toThrow(
        /holds payloads of private transactions.*--sync full.*restore a backup/,
      );
  });

  it('executes the past when the manager holds payloads and it is not told how to join', async () => {
    const node = await join(managerUrl(PARTY), 0x75, ['--sync-state-beyond', '1']);
    const at = await client.nodeAt(PARTY).result<string>('eth_blockNumber');
    await until(async () => Number(await node.result('eth_blockNumber')) >= Number(at));
    for (const [method, params] of [
      ['eth_getStorageAt', [contract, '0x0', at]],
      ['debug_privateStateRoot', [at]],
      ['eth_getBlockByNumber', ['0x1', false]],
    ] as const)
      expect([method, await node.result(method, params)]).toEqual([
        method,
        await client.nodeAt(PARTY).result(method, params),
      ]);
  });

  it('is refused when the manager has no answer to the question, as Tessera', async () => {
    const server: Server = createServer((_, response) => response.writeHead(404).end('HTTP 404 Not Found'));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    await expect(join(`http://127.0.0.1:${port}`, 0x73)).rejects.toThrow(
      /does not say whether it holds private payloads \(404 status/,
    );
    await new Promise((closed) => server.close(closed));
  });

  it('loses nothing when the manager holds none, and gets contracts that are extended to it', async () => {
    const late = await join(managerUrl(INVITED), 0x74);
    const invited = client.nodeAt(INVITED);
    const old = await late.call('eth_getBlockByNumber', ['0x1', false]);
    expect(old.error?.data).toMatchObject({ reason: 'BLOCK_NOT_AVAILABLE' });
    expect(await late.result('eth_getCode', [contract])).toBe('0x');

    const management = await client.begin(CREATOR, INVITED, contract);
    await client.minedAll(await client.approve(INVITED, management, true));
    await client.ended([CREATOR, INVITED], management);
    await client.mine(PARTY, { to: contract, data: setTo(7), parties: [CREATOR, INVITED] });
    expect(await client.values(contract)).toEqual([7, 7, 7]);

    const at = await invited.result<string>('eth_blockNumber');
    await until(async () => Number(await late.result('eth_blockNumber')) >= Number(at));
    for (const [method, params] of [
      ['eth_getCode', [contract, at]],
      ['eth_getStorageAt', [contract, '0x0', at]],
      ['eth_storageRoot', [contract, at]],
      ['debug_privateStateRoot', [at]],
      ['chainExtension_activeExtensionContracts', []],
      ['chainExtension_getExtensionStatus', [management]],
    ] as const)
      expect([method, await late.result(method, params)]).toEqual([
        method,
        await invited.result(method, params),
      ]);
  });
});
