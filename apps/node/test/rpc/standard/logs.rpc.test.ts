import { describe, expect, it } from '@jest/globals';
import { reasonOf, type RunningNode } from '../../running-node.js';
import { MISSING, useStandardChain, type StandardChain } from '../../standard-chain.js';

let chain: StandardChain;
let node: RunningNode;
let check: StandardChain['check'];
useStandardChain((started) => {
  chain = started;
  ({ node, check } = started);
});

describe('logs', () => {
  it('are found by block, address and topic', async () => {
    const { token, abi, transfer, block } = chain;
    const topic = abi.getEvent('Transfer')?.topicHash;
    const all = await check<{ transactionHash: string }[]>('eth_getLogs', {
      fromBlock: '0x0',
      address: token,
    });
    expect(all.length).toBeGreaterThanOrEqual(2);
    const one = await check<{ transactionHash: string }[]>('eth_getLogs', {
      blockHash: block.hash,
      topics: [[topic, MISSING], null],
    });
    expect(one.map(({ transactionHash }) => transactionHash)).toContain(transfer);
    expect(await check('eth_getLogs', { fromBlock: '0x0', topics: [MISSING] })).toEqual([]);
    expect((await node.call('eth_getLogs', [{ fromBlock: '0x2', toBlock: '0x1' }])).error).toMatchObject({
      code: -32602,
      message: 'invalid block range params',
      data: { reason: 'INVALID_LOG_RANGE' },
    });
    // Nothing is there yet, which is not wrong to ask for.
    for (const range of [{ fromBlock: '0xffffff' }, { fromBlock: '0xffffff', toBlock: '0xfffffff' }])
      expect(await check('eth_getLogs', range)).toEqual([]);
    expect(reasonOf(await node.call('eth_getLogs', [{ blockHash: MISSING }]))).toBe('BLOCK_NOT_FOUND');
  });

  it('blocks and transactions are polled for with filters', async () => {
    const { token, abi, holder, owner } = chain;
    const logs = await check<string>('eth_newFilter', { address: token });
    const blocks = await check<string>('eth_newBlockFilter');
    const pending = await check<string>('eth_newPendingTransactionFilter');
    const data = abi.encodeFunctionData('transfer', [holder, 3n]);
    const hash = await node.result<string>('eth_sendTransaction', [
      { from: owner, to: token, data, gas: '0x186a0' },
    ]);
    const { blockHash } = await node.mined(hash);
    expect(await check<unknown[]>('eth_getFilterChanges', logs)).toMatchObject([{ transactionHash: hash }]);
    expect(await check('eth_getFilterChanges', logs)).toEqual([]);
    expect(await check('eth_getFilterChanges', blocks)).toContain(blockHash);
    expect(await check('eth_getFilterChanges', pending)).toContain(hash);
    expect(Array.isArray(await check('eth_getFilterLogs', logs))).toBe(true);
    expect(await check('eth_uninstallFilter', logs)).toBe(true);
    expect(await check('eth_uninstallFilter', logs)).toBe(false);
    expect((await node.call('eth_getFilterChanges', [logs])).error).toMatchObject({
      code: -32000,
      message: 'filter not found',
      data: { reason: 'FILTER_NOT_FOUND' },
    });
  });

  it('are not pushed over HTTP', async () => {
    expect(reasonOf(await node.call('eth_subscribe', ['newHeads']))).toBe('SUBSCRIPTIONS_NEED_WEBSOCKET');
    expect(reasonOf(await node.call('eth_unsubscribe', ['0x1']))).toBe('SUBSCRIPTIONS_NEED_WEBSOCKET');
  });
});
