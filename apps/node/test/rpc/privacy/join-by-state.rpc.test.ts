import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, request as ask, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CollectedLog } from '../../../../../libs/node/chain/peer/test/collected-log.js';
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
const servers: Server[] = [];
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
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await network?.stop();
});

const managerUrl = (index: number) => network.managers[index]?.url ?? '';

/** A manager that says first that it holds no payloads, so many times: the first one of the past comes while a node joins. */
async function holdingLater(url: string, times: number): Promise<{ url: string; asked(): number }> {
  let asked = 0;
  const server: Server = createServer((request, response) => {
    const isHeldAsked = request.url === '/payloads/held';
    if (isHeldAsked && asked++ < times) {
      const headers = { 'content-type': 'application/json' };
      return void response.writeHead(200, headers).end(JSON.stringify({ held: false }));
    }
    const { method, headers } = request;
    const onward = ask(new URL(request.url ?? '/', url), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  servers.push(server);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked };
}

/** A node that joins by state with the manager. */
async function join(
  url: string,
  key: number,
  how: readonly string[] = ['--sync', 'state'],
  logger?: CollectedLog,
): Promise<RunningNode> {
  const peers = ['--peers', await enodeOf(client.nodeAt(CREATOR)), '--peer-exchange', 'false'];
  const node = await startNode([...how, '--ptm-url', url, ...peers, ...PATIENCE], {
    genesis: privacyGenesis(recordedAccounts(3)),
    nodeKey: Buffer.alloc(32, key),
    modules: MODULES,
    ...(logger && { logger }),
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

  /** It has what a party has of the past, public and private. */
  const assertExecuted = async (node: RunningNode) => {
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
  };

  it('executes the past when the manager holds payloads and it is not told how to join', async () => {
    await assertExecuted(await join(managerUrl(PARTY), 0x75, ['--sync-state-beyond', '1']));
  });

  it('begins anew by itself, and executes the past, when the first payload of it comes while the node joins', async () => {
    const manager = await holdingLater(managerUrl(PARTY), 1);
    const log = new CollectedLog();
    const node = await join(manager.url, 0x76, ['--sync-state-beyond', '1'], log);
    expect(manager.asked()).toBeGreaterThan(1);
    expect(log.complaints('the joining by state is given up, and every block is executed')).toBe(1);
    await assertExecuted(node);
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
