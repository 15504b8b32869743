import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nodeMethods, nodeStandardMethods } from '@tetrad/api-node';
import fc from 'fast-check';
import { startNode, type RunningNode } from './running-node.js';

let node: RunningNode;
beforeAll(async () => {
  node = await startNode();
});
afterAll(() => node.stop());

/** All methods but ibft_propose, which with valid random parameters would vote in a validator that does not run. */
const names = Object.keys({ ...nodeMethods, ...nodeStandardMethods }).filter(
  (name) => name !== 'ibft_propose',
);

/** Values that are almost right: what clients with mistakes send. */
const nearly = fc.oneof(
  fc.constantFrom('0x', '0x0', '0x00', '0x1', '0xg', '0x123', 'latest', 'newest', '', 'true', '0X1', '-0x1'),
  fc.constantFrom(
    `0x${'ab'.repeat(20)}`,
    `0x${'ab'.repeat(19)}`,
    `0x${'ab'.repeat(32)}`,
    `0x${'f'.repeat(65)}`,
  ),
  fc.constantFrom(0, -1, 1.5, 1e21, 2 ** 53, null, true, false),
  fc.constantFrom(
    [],
    {},
    [[]],
    [{}],
    { from: 1 },
    { to: '0x12' },
    { data: '0x1' },
    { blockHash: 5 },
    { topics: [[[]]] },
  ),
  fc.record({
    from: fc.constantFrom(`0x${'ab'.repeat(20)}`, 'me', 7),
    gas: fc.constantFrom('0x', 'lots', -5, '0x5208'),
    value: fc.jsonValue(),
  }),
  fc.jsonValue({ maxDepth: 3 }),
);

describe('malformed calls', () => {
  it('get the right code, never a fault, and leave the node alive', async () => {
    const known = new Set([-32700, -32600, -32601, -32602, -32000, -32001, -32002, -32004, -32005, 3]);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.array(nearly, { maxLength: 4 }),
        async (method, params) => {
          const { error } = await node.call(method, params);
          if (error !== undefined)
            expect([method, params, error.code, known.has(error.code)]).toEqual([
              method,
              params,
              error.code,
              true,
            ]);
        },
      ),
      { numRuns: 400 },
    );
    expect(await node.result('eth_chainId')).toBe('0x539');
    const before = Number(await node.result('eth_blockNumber'));
    while (Number(await node.result('eth_blockNumber')) <= before)
      await new Promise((tick) => setTimeout(tick, 20));
  });
});
