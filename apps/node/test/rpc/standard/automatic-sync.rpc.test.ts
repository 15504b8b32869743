import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { CollectedLog } from '../../../../../libs/node/chain/peer/test/collected-log.js';
import { startNode, type RunningNode } from '../../running-node.js';
import { enodeOf, genesisOf, pass } from '../../validator-network.js';
import { keyOf } from '../../validator-chain.js';

const genesis = genesisOf({ engine: 'qbft', validators: ['A'], blockPeriodMs: 100 });
const FAR = ['--sync-state-beyond', '3'];

let full: RunningNode;
const started: RunningNode[] = [];
beforeAll(async () => {
  full = await startNode([], { genesis, nodeKey: keyOf('A') });
  await pass(full, 8);
});
afterAll(async () => {
  await Promise.all([...started, full].map((node) => node?.stop()));
});

/** Starts a new node that has the chain's only node as its static peer, and names the first block that it has. */
async function start(flags: readonly string[]) {
  const log = new CollectedLog();
  const peers = ['--peers', await enodeOf(full), '--peer-exchange', 'false'];
  const node = await startNode([...peers, ...flags], { genesis, nodeKey: keyOf('B'), logger: log });
  started.push(node);
  await until(async () => Number(await node.result('eth_blockNumber')) > 8);
  const first = await node.call('eth_getBlockByNumber', ['0x1', false]);
  await node.stop();
  started.pop();
  return { hasPast: first.error === undefined, messages: log.lines.map(({ message }) => message) };
}

describe('a new node without an option about it', () => {
  it('takes a state where its static peers are far ahead, and says so', async () => {
    const { hasPast, messages } = await start([...FAR, '--history', 'none']);
    expect(hasPast).toBe(false);
    expect(messages).toContain('the past is left out, since it is long; --sync full executes it');
  });

  it.each<[string, readonly string[]]>([
    ['where they are not', []],
    ['where an option says so', [...FAR, '--sync', 'full']],
    ['for an index by address', [...FAR, '--address-index', 'true']],
  ])('executes the past %s', async (_, flags) => {
    const { hasPast, messages } = await start(flags);
    expect(hasPast).toBe(true);
    expect(messages).not.toContain('joining by state');
  });
});
