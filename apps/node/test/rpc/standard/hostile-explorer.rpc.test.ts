import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { reasonOf, type RunningNode } from '../../running-node.js';
import { startTokenChain, type TokenChain } from '../../token-chain.js';

const LARGEST = Number.MAX_SAFE_INTEGER;
/** Of no block and no transaction. */
const NOWHERE = `0x${'0e'.repeat(32)}`;

let chain: TokenChain;
let node: RunningNode;
beforeAll(async () => {
  chain = await startTokenChain(['--address-index', '--rpc-max-trace-blocks', '12']);
  ({ node } = chain);
  const ask = () => node.call('ots_searchTransactionsBefore', [chain.owner, 0, 25]);
  await until(async () => reasonOf(await ask()) !== 'ADDRESS_INDEX_NOT_AVAILABLE');
});
afterAll(() => node.stop());

const historyOf = async (method: string, blockNumber: number) => {
  const { txs, ...ends } = await node.result<{
    txs: { hash: string }[];
    firstPage: boolean;
    lastPage: boolean;
  }>(method, [chain.owner, blockNumber, 25]);
  return { hashes: txs.map(({ hash }) => hash), firstPage: ends.firstPage, lastPage: ends.lastPage };
};

describe('a caller of extremes', () => {
  it.each([2 ** 33, 2 ** 43, LARGEST - 1, LARGEST])(
    'searches before block %d, as from the head',
    async (block) => {
      const all = await historyOf('ots_searchTransactionsBefore', 0);
      const { hashes } = await historyOf('ots_searchTransactionsBefore', block);
      expect(hashes).toEqual(all.hashes);
      expect(hashes.length).toBeGreaterThan(2);
    },
  );

  it.each([2 ** 33, 2 ** 43, LARGEST - 1, LARGEST])(
    'searches after block %d, where nothing is',
    async (block) => {
      expect(await historyOf('ots_searchTransactionsAfter', block)).toMatchObject({
        hashes: [],
        firstPage: true,
      });
    },
  );

  it.each([2 ** 31 - 1, 2 ** 31, 2 ** 40, LARGEST])('asks for the nonce %d', async (nonce) => {
    expect(await node.result('ots_getTransactionBySenderAndNonce', [chain.owner, nonce])).toBeNull();
  });

  it.each([1, 2 ** 31, LARGEST])('asks for page %d of a block', async (page) => {
    const block = await node.result<{ receipts: object[] }>('ots_getBlockTransactions', [1, page, 255]);
    expect(block.receipts).toEqual([]);
  });

  it.each([LARGEST, `0x${LARGEST.toString(16)}`])('names block %s, which is not', async (block) => {
    expect(await node.result('ots_getBlockDetails', [block])).toBeNull();
    expect(await node.result('ots_getBlockTransactions', [block, 0, 25])).toBeNull();
    expect(await node.result('erigon_getHeaderByNumber', [block])).toBeNull();
    expect(reasonOf(await node.call('trace_block', [block]))).toBe('BLOCK_NOT_FOUND');
    expect(reasonOf(await node.call('trace_replayBlockTransactions', [block, ['trace']]))).toBe(
      'BLOCK_NOT_FOUND',
    );
  });

  it.each([
    { fromBlock: LARGEST, toBlock: LARGEST },
    { fromBlock: LARGEST, toBlock: LARGEST, fromAddress: [`0x${'11'.repeat(20)}`] },
    { fromBlock: LARGEST },
    { fromBlock: 1, toBlock: 4, after: LARGEST, count: LARGEST },
    { fromBlock: 1, toBlock: LARGEST, toAddress: [`0x${'11'.repeat(20)}`], count: 0 },
  ])('filters %j', async (criteria) => {
    expect(await node.result('trace_filter', [criteria])).toEqual([]);
  });

  it.each([2 ** 33, LARGEST])('lists private transactions before block %d', async (block) => {
    expect(await node.result('explorer_listPrivateTransactions', [block, 25])).toMatchObject({
      transactions: [],
    });
  });

  it.each([LARGEST, { blockHash: NOWHERE }, NOWHERE])('asks for code at %j, which is not', async (block) => {
    expect(reasonOf(await node.call('ots_hasCode', [chain.token, block]))).toBe('BLOCK_NOT_FOUND');
  });

  it.each([
    ['ots_traceTransaction', 'TRANSACTION_NOT_FOUND'],
    ['ots_getInternalOperations', 'TRANSACTION_NOT_FOUND'],
    ['ots_getTransactionError', 'TRANSACTION_NOT_FOUND'],
  ])('gets a reason of %s for a hash that is nowhere', async (method, reason) => {
    expect(reasonOf(await node.call(method, [NOWHERE]))).toBe(reason);
  });

  it('gets nothing of what is nowhere', async () => {
    expect(await node.result('trace_transaction', [NOWHERE])).toBeNull();
    expect(await node.result('trace_replayTransaction', [NOWHERE, []])).toBeNull();
    expect(await node.result('ots_getBlockDetailsByHash', [NOWHERE])).toBeNull();
    expect(await node.result('ots_getContractCreator', [`0x${'11'.repeat(20)}`])).toBeNull();
    expect(await node.result('trace_block', ['earliest'])).toEqual([]);
    expect(await node.result('trace_replayBlockTransactions', [0, ['vmTrace', 'vmTrace']])).toEqual([]);
  });

  it('asks for holders before and beyond all places', async () => {
    const holders = (before: number) =>
      node.result<{ holders: object[]; next: string | null }>('explorer_listTokenHolders', [
        chain.token,
        255,
        `0x${before.toString(16)}`,
      ]);
    expect(await holders(0)).toMatchObject({ holders: [], next: null });
    expect((await holders(LARGEST)).holders.length).toBeGreaterThan(0);
  });

  it('names an address a thousand times', async () => {
    const addresses = Array.from({ length: 1_000 }, () => chain.owner);
    const range = { fromBlock: 1, toBlock: 12 };
    const once = await node.result<object[]>('trace_filter', [{ ...range, fromAddress: [chain.owner] }]);
    expect(await node.result('trace_filter', [{ ...range, fromAddress: addresses }])).toEqual(once);
    expect(once.length).toBeGreaterThan(0);
    const tooMany = await node.call('trace_filter', [{ ...range, fromAddress: [...addresses, chain.owner] }]);
    expect(tooMany.error).toMatchObject({ code: -32602 });
  });

  it.each([
    ['ots_searchTransactionsBefore', ['0x12', 0, 25]],
    ['ots_searchTransactionsBefore', [`0x${'11'.repeat(20)}`, -1, 25]],
    ['ots_searchTransactionsBefore', [`0x${'11'.repeat(20)}`, 2 ** 53, 25]],
    ['ots_searchTransactionsAfter', [`0x${'11'.repeat(20)}`, 0.5, 25]],
    ['ots_searchTransactionsAfter', [`0x${'11'.repeat(20)}`, 0, 0]],
    ['ots_getTransactionBySenderAndNonce', [`0x${'11'.repeat(20)}`, 1e300]],
    ['ots_getBlockTransactions', [1, -1, 25]],
    ['ots_getBlockDetails', ['__proto__']],
    ['ots_traceTransaction', [`0x${'11'.repeat(31)}`]],
    ['trace_filter', [{ fromBlock: 1, toBlock: 2, mode: '__proto__' }]],
    ['trace_filter', [{ fromBlock: 1, toBlock: 2, after: -1 }]],
    ['trace_replayBlockTransactions', [1, ['constructor']]],
    ['trace_replayBlockTransactions', [1, Array.from({ length: 9 }, () => 'trace')]],
    ['ots_getBlockDetails', ['0x7fffffffffffff']],
    ['erigon_getHeaderByNumber', ['0x' + 'f'.repeat(1_000)]],
  ])('gets -32602 of %s %j', async (method, params) => {
    expect((await node.call(method, params)).error).toMatchObject({ code: -32602 });
  });
});
