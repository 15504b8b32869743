import { afterEach, describe, expect, it } from '@jest/globals';
import { bftRules } from '@tetrad/node-consensus-bft';
import { bytesFromHex } from '@tetrad/types';
import type { RunningNode } from '../running-node.js';
import { VALIDATORS } from '../validator-chain.js';
import { blockOfAll, heightOf, roundOf, sendThrough, startNodes, useNodes } from '../validator-network.js';

const nodes = useNodes(afterEach);

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

describe('a chain that changes from the older format to QBFT', () => {
  it('I09: continues at the block of the transition, and hashes link up', async () => {
    const transitions = [{ block: 6, algorithm: 'qbft' }];
    await startNodes(nodes, { engine: 'ibft', transitions }, ['A', 'B', 'C', 'D']);
    const [first] = nodes as [RunningNode];
    await sendThrough(first, nodes);
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
    // In IBFT the 32 bytes of vanity precede the list, in QBFT they are inside it.
    expect(() => listed('qbft', before[0]?.extraData)).toThrow('invalid extra data format');
    expect(listed('qbft', after[0]?.extraData)).toEqual(VALIDATORS);
    expect(() => listed('ibft', after[0]?.extraData)).toThrow('invalid extra data format');
    await sendThrough(first, nodes);
  });
});

describe.each(['qbft', 'ibft'] as const)(
  'validators of a %s chain whose empty blocks are put off',
  (engine) => {
    it('make no empty blocks, change no round meanwhile, and one block for each transaction', async () => {
      const consensus = { emptyblockperiodseconds: 3_600 };
      await startNodes(nodes, { engine, consensus, requestTimeoutSeconds: 1 }, ['A', 'B', 'C', 'D']);
      // The genesis block is older than an hour, so the first block is due at once.
      await blockOfAll(nodes, 1);
      // Three times the time-out of a round: no validator may have waited for a proposal.
      await pause(3_000);
      expect(await Promise.all(nodes.map(heightOf))).toEqual([1, 1, 1, 1]);
      expect(await Promise.all(nodes.map(roundOf))).toEqual([0, 0, 0, 0]);
      for (const [index, node] of nodes.entries()) {
        await sendThrough(node, nodes);
        expect(await heightOf(node)).toBe(index + 2);
      }
    });
  },
);
