import { afterEach, describe, expect, it } from '@jest/globals';
import { until, type FaultyNetwork } from '@tetrad/testkit';
import { expectTurns } from '../proposer-turns.js';
import type { RunningNode } from '../running-node.js';
import { VALIDATORS } from '../validator-chain.js';
import {
  blockOfAll,
  heightOf,
  pass,
  sendThrough,
  standstill,
  startLinkedNodes,
  useNodes,
} from '../validator-network.js';

const nodes = useNodes(afterEach);
let links: FaultyNetwork | undefined;
// When the nodes have stopped: hooks run in the order in which they are given.
afterEach(() => links?.close());

describe.each([
  ['qbft', 'sticky'],
  ['ibft', 'roundRobin'],
] as const)('four validators of a %s chain (%s)', (engine, policy) => {
  it('continue as three, stop and answer as two, and agree after the partition', async () => {
    const consensus = { policy: policy === 'sticky' ? 1 : 0 };
    const setup = { engine, consensus, requestTimeoutSeconds: 1 };
    links = await startLinkedNodes(nodes, setup, ['A', 'B', 'C', 'D']);
    const [a, b, c, d] = nodes as [RunningNode, RunningNode, RunningNode, RunningNode];
    await until(async () => (await heightOf(a)) >= 2);
    // A is the one whose turn it is first, and always when proposers stay.
    links.partition([[1, 2, 3], [0]]);
    await pass(b, 5);
    await sendThrough(c, [b, c, d]);

    links.partition([[1, 2], [0], [3]]);
    const stood = await standstill(nodes);
    for (const node of nodes) expect(await node.result('ibft_getValidators')).toEqual(VALIDATORS);
    expect(await heightOf(b)).toBeLessThanOrEqual(stood);

    links.heal();
    await until(async () => (await heightOf(a)) >= stood + 3);
    expect(new Set((await blockOfAll(nodes, stood + 3)).map(({ hash }) => hash)).size).toBe(1);
    await sendThrough(a, nodes);
    if (engine === 'qbft') await expectTurns(d, policy);
  });
});
