import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startNode, type RunningNode } from '../../running-node.js';

const BLOCKS = 3;
/** Blocks after which the states of the first ones are removed, and not only refused. */
const REMOVED = 4 * BLOCKS;

let node: RunningNode;
let hash: string;
let mined: string;
beforeAll(async () => {
  node = await startNode(['--state-history', String(BLOCKS)]);
  const [from, to] = node.accounts;
  hash = await node.result('eth_sendTransaction', [{ from, to, value: '0x1' }]);
  mined = (await node.mined(hash)).blockNumber;
  while (Number(await node.result('eth_blockNumber')) < Number(mined) + REMOVED)
    await new Promise((tick) => setTimeout(tick, 50));
});
afterAll(() => node?.stop());

describe('the state of a block that is no longer kept', () => {
  const call = () => ({ to: node.accounts[0] });
  it.each<readonly [string, () => readonly unknown[]]>([
    ['eth_getBalance', () => [node.accounts[0], 'earliest']],
    ['eth_getBalance', () => [node.accounts[0], mined]],
    ['eth_getTransactionCount', () => [node.accounts[0], mined]],
    ['eth_getCode', () => [node.accounts[0], mined]],
    ['eth_getStorageAt', () => [node.accounts[0], '0x0', mined]],
    ['eth_getStorageValues', () => [{ [node.accounts[0] ?? '']: ['0x0'] }, mined]],
    ['eth_getProof', () => [node.accounts[0], [], mined]],
    ['eth_call', () => [call(), mined]],
    ['eth_estimateGas', () => [call(), mined]],
    ['eth_createAccessList', () => [call(), mined]],
    ['eth_simulateV1', () => [{ blockStateCalls: [{ calls: [call()] }] }, mined]],
    ['debug_traceCall', () => [call(), mined]],
    ['debug_traceTransaction', () => [hash]],
    ['debug_traceBlockByNumber', () => [mined]],
    ['debug_dumpAddress', () => [node.accounts[0], mined]],
    ['debug_getModifiedAccountsByNumber', () => [mined]],
    ['debug_getModifiedAccountsByNumber', () => [0, 'latest']],
  ])('is refused by %s', async (method, params) => {
    const { error, result } = await node.call(method, params());
    expect(result).toBeUndefined();
    expect(error).toMatchObject({
      code: -32000,
      message: expect.stringMatching(/^missing trie node: the state of block \d+ is not kept/) as unknown,
      data: { reason: 'STATE_NOT_AVAILABLE', oldestBlock: expect.any(Number) as unknown },
    });
  });

  it('leaves the newest states, and blocks, transactions and receipts of all', async () => {
    expect(await node.result('eth_getBalance', [node.accounts[0], 'latest'])).toMatch(/^0x/);
    expect(await node.result('eth_getBlockByNumber', ['0x0', true])).toMatchObject({ number: '0x0' });
    expect(await node.result('eth_getTransactionByHash', [hash])).toMatchObject({ blockNumber: mined });
    expect(await node.result('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' });
  });

  it('is not among those of eth_capabilities, which has the first block that is', async () => {
    interface Kept {
      readonly oldestBlock: string;
    }
    const kept = await node.result<{ head: { number: string }; state: Kept; blocks: Kept }>(
      'eth_capabilities',
    );
    const { head, state, blocks } = kept;
    expect(state).toMatchObject({ deleteStrategy: { type: 'window', retentionBlocks: '0x3' } });
    expect(Number(head.number) - Number(state.oldestBlock)).toBe(BLOCKS);
    expect(blocks).toEqual({ disabled: false, oldestBlock: '0x0' });
  });

  it('shows the oldest one as a metric', async () => {
    const oldest = async () => {
      const text = await (await fetch(`${node.opsUrl}/metrics`)).text();
      return Number(/^node_state_oldest_block(?:\{[^}]*\})? (\d+)/m.exec(text)?.[1]);
    };
    // It is set when a removal has been looked for after a block.
    while ((await oldest()) <= Number(mined)) await new Promise((tick) => setTimeout(tick, 50));
  });
});
