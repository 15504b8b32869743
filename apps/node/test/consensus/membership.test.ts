import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { CollectedLog } from '../../../../libs/node/chain/peer/test/collected-log.js';
import type { RunningNode } from '../running-node.js';
import { addressOf } from '../validator-chain.js';
import {
  connect,
  heightOf,
  pass,
  sendThrough,
  startMember,
  useNodes,
  type ValidatorNetworkSetup,
} from '../validator-network.js';

const nodes = useNodes(afterEach);

/** Deploys a contract that has stored something and keeps no code. */
const CONTRACT = { to: undefined, value: '0x0', data: '0x600160005560006000f3', gas: '0x186a0' };
const deployThrough = (node: RunningNode) => sendThrough(node, nodes, CONTRACT);

/** Who built the blocks from `from` on that the node has, but for the newest. */
async function authors(node: RunningNode, from: number): Promise<string[]> {
  const head = Math.max(await heightOf(node), from);
  const status = await node.result<{ sealerActivity: Record<string, number> }>('ibft_status', [from, head]);
  return Object.entries(status.sealerActivity)
    .filter(([, blocks]) => blocks > 0)
    .map(([address]) => address);
}

const isValidator = (node: RunningNode) => node.result<boolean>('ibft_isValidator');
const propose = async (node: RunningNode, ...params: [string, boolean]) =>
  expect(await node.call('ibft_propose', params)).toEqual({ jsonrpc: '2.0', id: 1, result: null });

describe.each(['qbft', 'ibft'] as const)('three validators of a %s chain and a fourth node', (engine) => {
  it('I04, I05, I06: it follows, is voted in and seals; another one is voted out and follows', async () => {
    const setup: ValidatorNetworkSetup = { engine, validators: ['A', 'B', 'C'] };
    const logs = new Map(['A', 'B', 'C', 'D'].map((name) => [name, new CollectedLog()]));
    const says = (name: string, text: string) =>
      logs.get(name)?.lines.filter(({ message }) => message === text).length ?? 0;
    for (const name of ['A', 'B', 'C', 'D'] as const)
      nodes.push(await startMember(setup, name, { logger: logs.get(name) as CollectedLog }));
    await connect(nodes);
    const [first, second, third, fourth] = nodes as [RunningNode, RunningNode, RunningNode, RunningNode];
    await until(async () => (await heightOf(first)) >= 2);

    // I04
    await deployThrough(fourth);
    await deployThrough(first);
    await pass(fourth, 8);
    expect(await authors(fourth, 1)).not.toContain(addressOf('D'));
    expect(await isValidator(fourth)).toBe(false);
    expect([says('D', 'Block sealing failed'), says('D', 'Successfully sealed new block')]).toEqual([1, 0]);
    expect(says('A', 'Block sealing failed')).toBe(0);

    // I05
    for (const node of [first, second, third]) await propose(node, addressOf('D'), true);
    await deployThrough(fourth);
    await deployThrough(first);
    await until(async () => (await authors(first, 1)).includes(addressOf('D')));
    expect(says('D', 'Successfully sealed new block')).toBeGreaterThan(0);
    expect(await isValidator(fourth)).toBe(true);
    expect(await first.result('ibft_getValidators')).toHaveLength(4);

    // I06
    for (const node of [second, third, fourth]) await propose(node, addressOf('A'), false);
    await until(async () => !(await isValidator(first)));
    await deployThrough(fourth);
    await deployThrough(first);
    const left = await pass(first, 8);
    expect(await authors(first, left + 1)).not.toContain(addressOf('A'));
    expect(says('A', 'Block sealing failed')).toBe(1);
    expect(await third.result('ibft_getValidators')).toHaveLength(3);
  });
});

describe('a candidate that is discarded before this node has made a block', () => {
  it('I39: is in no vote', async () => {
    const setup: ValidatorNetworkSetup = { engine: 'qbft' };
    // Alone it decides on nothing, and B is not the first to propose.
    const own = await startMember(setup, 'B');
    nodes.push(own);
    await propose(own, addressOf('E'), true);
    expect(await own.result('ibft_candidates')).toEqual({ [addressOf('E')]: true });
    expect(await own.result('ibft_discard', [addressOf('E')])).toBeNull();
    expect(await own.result('ibft_candidates')).toEqual({});
    for (const name of ['A', 'C', 'D'] as const) nodes.push(await startMember(setup, name));
    await connect(nodes);
    await until(async () => (await heightOf(own)) > 1 && (await authors(own, 1)).includes(addressOf('B')));
    const head = await heightOf(own);
    for (let number = 1; number <= head; number++)
      expect(await own.result('ibft_getSnapshot', [number])).toMatchObject({ votes: [], tally: {} });
  });
});
