import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { compileFolder } from '@tetrad/compilers';
import { loadToken, until } from '@tetrad/testkit';
import { Interface } from 'ethers/abi';
import { expectTurns } from '../proposer-turns.js';
import type { RunningNode } from '../running-node.js';
import { heightOf, startNodes, useNodes } from '../validator-network.js';

const SUPPLY = 10n ** 24n;
/** Heights of scenario I38, as distances from the first block that is seen. */
const DISTANCES = [10, 20, 50, 70, 100, 150];

const nodes = useNodes(afterEach);
beforeAll(async () => {
  await compileFolder(fileURLToPath(new URL('../../../../libs/testkit', import.meta.url)));
});

describe.each(['qbft', 'ibft'] as const)('a contract with an event on a %s chain', (engine) => {
  it('I38: is deployed at any height, whichever validator proposes and whichever node is asked', async () => {
    await startNodes(nodes, { engine, blockPeriodMs: 50 }, ['A', 'B', 'C', 'D']);
    const { abi, bytecode } = await loadToken();
    const data = bytecode + new Interface(JSON.stringify(abi)).encodeDeploy(['Token', 'T', SUPPLY]).slice(2);
    const start = await heightOf(nodes[0] as RunningNode);
    for (const [index, distance] of DISTANCES.entries()) {
      const node = nodes[index % nodes.length] as RunningNode;
      await until(async () => (await heightOf(node)) >= start + distance);
      const deployment = { from: node.accounts[0], data, gas: '0x1e8480' };
      const hash = await node.result<string>('eth_sendTransaction', [deployment]);
      const receipts = await Promise.all(nodes.map((one) => one.mined(hash)));
      expect(receipts.map(({ status, logs }) => [status, (logs as unknown[]).length])).toEqual(
        nodes.map(() => ['0x1', 1]),
      );
      expect(new Set(receipts.map(({ blockHash }) => blockHash)).size).toBe(1);
    }
    if (engine === 'qbft') await expectTurns(nodes[0] as RunningNode, 'roundRobin');
  }, 900_000);
});
