import { afterEach, describe, expect, it } from '@jest/globals';
import { bftRules } from '@tetrad/node-consensus-bft';
import { bytesFromHex } from '@tetrad/types';
import type { RunningNode } from '../running-node.js';
import { VALIDATORS, addressOf } from '../validator-chain.js';
import { blockOfAll, heightOf, startNodes, until } from '../validator-network.js';

let nodes: readonly RunningNode[] = [];
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  nodes = [];
}, 60_000);

/** Sends a transaction from an account of the node, and sees it mined on all of them. */
async function sendThrough(node: RunningNode): Promise<void> {
  const [held] = node.accounts;
  const transaction = { from: held, to: held, value: '0x1', gas: '0x5208' };
  const hash = await node.result<string>('eth_sendTransaction', [transaction]);
  const receipts = await Promise.all(nodes.map((one) => one.mined(hash)));
  expect(new Set(receipts.map(({ blockHash }) => blockHash)).size).toBe(1);
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

const authors = async (node: RunningNode, from: number) => {
  const { sealerActivity } = await node.result<{ sealerActivity: Record<string, number> }>('ibft_status', [
    from,
    await heightOf(node),
  ]);
  return Object.entries(sealerActivity)
    .filter(([, blocks]) => blocks > 0)
    .map(([address]) => address);
};

describe('four validators and a fifth node', () => {
  it('I04, I05, I06: it follows, is voted in and proposes, and is voted out and follows again', async () => {
    nodes = await startNodes({ engine: 'qbft' }, ['A', 'B', 'C', 'D', 'E']);
    const [a, b, c, d, e] = nodes as [RunningNode, RunningNode, RunningNode, RunningNode, RunningNode];
    await sendThrough(e);
    await sendThrough(a);
    await until(async () => (await heightOf(e)) >= 8);
    expect(await authors(e, 1)).toEqual(VALIDATORS);
    expect(await e.result('ibft_isValidator')).toBe(false);

    // Three of four suffice.
    for (const node of [a, b, c])
      expect(await node.result('ibft_propose', [addressOf('E'), true])).toBeNull();
    await until(async () => (await e.result<boolean>('ibft_isValidator')) === true);
    const joined = await heightOf(e);
    await until(async () => (await authors(e, joined)).includes(addressOf('E')));
    expect(await a.result('ibft_getValidators')).toHaveLength(5);
    await sendThrough(e);

    for (const node of [a, b, c]) await node.result('ibft_discard', [addressOf('E')]);
    for (const node of [b, c, d, e]) await node.result('ibft_propose', [addressOf('A'), false]);
    await until(async () => (await a.result<boolean>('ibft_isValidator')) === false);
    const left = (await heightOf(a)) + 1;
    await until(async () => (await heightOf(a)) >= left + 8);
    expect(await authors(a, left + 1)).not.toContain(addressOf('A'));
    await sendThrough(a);
  }, 240_000);
});

describe('a chain that goes from the older format to QBFT', () => {
  it('I09: goes on at the block of the transition, and hashes link up', async () => {
    nodes = await startNodes({ engine: 'ibft', transitions: [{ block: 6, algorithm: 'qbft' }] }, [
      ...(['A', 'B', 'C', 'D'] as const),
    ]);
    const [a] = nodes as [RunningNode];
    await sendThrough(a);
    const [before, after, later] = [
      await blockOfAll(nodes, 5),
      await blockOfAll(nodes, 6),
      await blockOfAll(nodes, 9),
    ];
    for (const blocks of [before, after, later]) expect(new Set(blocks.map(({ hash }) => hash)).size).toBe(1);
    expect(after[0]?.parentHash).toBe(before[0]?.hash);
    const listed = (format: 'ibft' | 'qbft', extraData = '0x') =>
      bftRules(format).validatorsOf({ extraData: bytesFromHex(extraData) } as never);
    expect(listed('ibft', before[0]?.extraData)).toEqual(VALIDATORS);
    expect(listed('qbft', after[0]?.extraData)).toEqual(VALIDATORS);
    await sendThrough(a);
  }, 240_000);
});

describe.each(['qbft', 'ibft'] as const)('three of four validators of a %s chain', (engine) => {
  it('go on without the fourth; two stand still and answer; all agree when they are back', async () => {
    nodes = await startNodes({ engine }, ['A', 'B', 'C', 'D']);
    const [a, b, c, d] = nodes as [RunningNode, RunningNode, RunningNode, RunningNode];
    const enodeOf = async (node: RunningNode) =>
      (await node.result<{ enode: string }>('admin_nodeInfo')).enode;
    const enodes = await Promise.all(nodes.map(enodeOf));
    const highest = async () => Math.max(...(await Promise.all(nodes.map(heightOf))));
    /** Takes nodes apart from all others, or brings them together again. */
    const link = async (
      method: 'admin_addPeer' | 'admin_removePeer',
      from: readonly RunningNode[],
      to: number[],
    ) => {
      for (const node of from) for (const index of to) await node.result(method, [enodes[index]]);
    };
    await until(async () => (await heightOf(a)) >= 2);
    await d.stop();
    nodes = [a, b, c];
    const alone = await heightOf(a);
    await until(async () => (await heightOf(a)) >= alone + 5);
    await sendThrough(b);
    // C is cut off: no quorum any more.
    await link('admin_removePeer', [a, b], [2]);
    await link('admin_removePeer', [c], [0, 1]);
    // What was under way may still become a block.
    let stood: number;
    do {
      stood = await highest();
      await pause(1_000);
    } while ((await highest()) > stood);
    await pause(3_000);
    expect(await highest()).toBe(stood);
    expect(await a.result('ibft_getValidators')).toHaveLength(4);
    await link('admin_addPeer', [a, b], [2]);
    await link('admin_addPeer', [c], [0, 1]);
    await until(async () => (await heightOf(c)) >= stood + 3);
    expect(new Set((await blockOfAll(nodes, stood + 3)).map(({ hash }) => hash)).size).toBe(1);
  }, 240_000);
});
