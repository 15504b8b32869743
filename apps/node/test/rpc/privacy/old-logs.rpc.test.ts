import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import {
  RECORDED_KEYS,
  privacyGenesis,
  recordedAccounts,
  startPrivacyNetwork,
  type PrivacyNetwork,
} from '../../privacy-network.js';
import { startNode, type RunningNode } from '../../running-node.js';
import { heightOf } from '../../validator-network.js';
import { compiled, sendAndMine } from './private-contracts.js';
import { blocksOf, growChain, replaceDatabase } from './grown-chain.js';

/** Past the first 4096 blocks, over which the reference builds one index of blooms. */
const HEIGHT = 4301;
const accounts = recordedAccounts(2);
const accumulator = compiled('Accumulator.sol', 'Accumulator');
const { topicHash } = accumulator.interface.getEvent('IncEvent')!;

/** Of a party and of an outsider. */
let network: PrivacyNetwork;
/** Nodes with the managers of the two, on their chain as it is after thousands of blocks. */
const later: RunningNode[] = [];
let grown: TestDatabase;
let privately: string;
let publicly: string;

beforeAll(async () => {
  network = await startPrivacyNetwork({ keys: RECORDED_KEYS.slice(0, 2), accounts });
  privately = await accumulate([1, 2], { privateFor: [] });
  publicly = await accumulate([1]);
  const genesis = privacyGenesis(accounts);
  const blocks = await blocksOf(network.nodes[0] as RunningNode);
  expect(blocks.length).toBeLessThan(HEIGHT);
  grown = await createTestDatabase('node');
  await growChain(grown.url, { genesis, blocks, height: HEIGHT });
  for (const { url } of network.managers) {
    // Following thousands of blocks takes a busy host longer than a request may by default.
    const patient = ['--private-state-wait', '300s', '--rpc-request-timeout', '300s'];
    const flags = ['--validator', 'false', ...patient, '--ptm-url', url];
    const prepare = (databaseUrl: string) => replaceDatabase(databaseUrl, grown.url);
    later.push(await startNode(flags, { genesis, prepare }));
  }
});
afterAll(async () => {
  await Promise.all(later.map((node) => node.stop()));
  await grown?.drop();
  await network?.stop();
});

/** A new accumulator with the increments, from the first node. */
async function accumulate(increments: readonly number[], more: object = {}): Promise<string> {
  const [sender] = network.nodes as [RunningNode];
  const send = (request: object) => sendAndMine(sender, network.nodes, { ...request, ...more });
  const { receipts } = await send({ data: accumulator.creation(1) });
  const to = String(receipts[0]?.contractAddress);
  for (const value of increments)
    await send({ to, data: accumulator.interface.encodeFunctionData('inc', [value]) });
  return to;
}

/** Sums that a filter over the whole chain finds, and those that a search finds, at each of the nodes. */
async function found(nodes: readonly RunningNode[], address: string): Promise<number[][]> {
  const wanted = { fromBlock: '0x0', toBlock: 'latest', address, topics: [topicHash] };
  return Promise.all(
    nodes.map(async (node) => {
      const filter = await node.result<string>('eth_newFilter', [wanted]);
      const logs = await node.result<{ data: string }[]>('eth_getFilterLogs', [filter]);
      expect(await node.result('eth_getLogs', [wanted])).toEqual(logs);
      return logs.map(({ data }) => Number(data));
    }),
  );
}

describe('logs of a block that thousands follow (P-05)', () => {
  it('are found when the block is new', async () => {
    expect(await found(network.nodes, privately)).toEqual([[2, 4], []]);
    expect(await found(network.nodes, publicly)).toEqual([[2], [2]]);
  });

  it('are the same when it is old', async () => {
    expect(await Promise.all(later.map(heightOf))).toEqual([HEIGHT, HEIGHT]);
    expect(await found(later, privately)).toEqual([[2, 4], []]);
    expect(await found(later, publicly)).toEqual([[2], [2]]);
  });
});
