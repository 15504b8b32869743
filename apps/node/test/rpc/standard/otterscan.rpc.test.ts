import { describe, expect, it } from '@jest/globals';
import type { Anvil } from '../../anvil.js';
import { reasonOf, type RunningNode } from '../../running-node.js';
import { MISSING } from '../../standard-chain.js';
import { TRACED, useTracedChain, type TracedChain } from './traced-chain.js';

interface Call {
  readonly type: string;
  readonly depth: number;
  readonly from: string;
  readonly to: string;
  readonly value: string | null;
  readonly input: string;
  readonly output: string;
}

interface Details {
  readonly block: Readonly<Record<string, unknown>>;
  readonly issuance: object;
  readonly totalFees: string;
}

interface Page {
  readonly fullblock: { readonly transactions: { readonly hash: string; readonly input: string }[] };
  readonly receipts: { readonly transactionHash: string; readonly logs: null }[];
}

let chain: TracedChain;
let node: RunningNode;
let anvil: Anvil;
let check: TracedChain['check'];
useTracedChain((started) => {
  chain = started;
  ({ node, anvil, check } = started);
});

describe('what Otterscan probes', () => {
  it('is the version of these methods, and the header of Erigon', async () => {
    expect(await check('ots_getApiLevel')).toBe(await anvil.result('ots_getApiLevel'));
    const { number } = chain.block;
    const header = await node.result('eth_getHeaderByNumber', [number]);
    expect(await check('erigon_getHeaderByNumber', number)).toEqual(header);
    expect(await check('erigon_getHeaderByNumber', Number(number))).toEqual(header);
    expect(await check('erigon_getHeaderByNumber', 'latest')).not.toBeNull();
    expect(await check('erigon_getHeaderByNumber', 9_999_999)).toBeNull();
  });

  it('is whether there is code, at any block', async () => {
    const { blockNumber } = chain.pair('deployment').ours;
    const contract = chain.contract('deployment');
    expect(await check('ots_hasCode', contract, 'latest')).toBe(true);
    expect(await check('ots_hasCode', contract, Number(blockNumber))).toBe(true);
    expect(await check('ots_hasCode', contract, Number(blockNumber) - 1)).toBe(false);
    expect(await check('ots_hasCode', chain.sender, 'latest')).toBe(false);
    expect(reasonOf(await node.call('ots_hasCode', [contract, 9_999_999]))).toBe('BLOCK_NOT_FOUND');
  });
});

describe('the calls of a transaction', () => {
  const callsOf = (name: string) => check<Call[]>('ots_traceTransaction', chain.pair(name).ours.hash);

  it('have their depths and what they returned', async () => {
    const isPrecompile = ({ to, value }: Call) => /^0x0{38}/.test(to) && value !== '0x1';
    const other = await anvil.result<Call[]>('ots_traceTransaction', [chain.pair('calls').theirs.hash]);
    const theirs = other.filter((call) => !isPrecompile(call));
    // The other client has a value for calls that cannot move wei; Erigon has null.
    const comparable = ({ type, value, ...call }: Call) => ({
      ...call,
      type,
      value: /^(?:STATIC|DELEGATE)CALL$/.test(type) ? null : value,
    });
    expect(await callsOf('calls')).toEqual(theirs.map(comparable));
  });

  it('include creations and self-destructions, as in Erigon', async () => {
    expect(await callsOf('creations')).toMatchObject([
      { type: 'CALL', depth: 0, from: chain.sender, to: chain.contract('creates') },
      { type: 'CREATE', depth: 1, from: chain.contract('creates') },
      { type: 'CREATE2', depth: 1, from: chain.contract('creates') },
      { type: 'CREATE', depth: 1, output: expect.stringMatching(/2a$/) },
    ]);
    expect(await callsOf('self-destruction')).toMatchObject([
      { type: 'CALL', value: '0x7' },
      { type: 'SELFDESTRUCT', depth: 1, to: `0x${'ab'.repeat(20)}`, value: '0x7' },
    ]);
    expect(await callsOf('failed creation')).toMatchObject([{ type: 'CREATE', depth: 0 }]);
  });

  it.each(TRACED)('that contracts made move what the flat trace says: %s', async (name) => {
    const { hash } = chain.pair(name).ours;
    const operations = await check<{ type: number; value: string }[]>('ots_getInternalOperations', hash);
    const expected = {
      calls: [
        { type: 0, from: chain.contract('caller'), to: chain.contract('deployment'), value: '0x3' },
        { type: 0, from: chain.contract('caller'), to: `0x${'4'.padStart(40, '0')}`, value: '0x1' },
      ],
      creations: [
        { type: 2, from: chain.contract('creates'), value: '0x0' },
        { type: 3, from: chain.contract('creates'), value: '0x0' },
      ],
      'self-destruction': [{ type: 1, from: chain.contract('destroys'), value: '0x7' }],
    };
    // What failed is not there: a transfer without balance, and a creation that reverted.
    expect(operations).toMatchObject(name in expected ? expected[name as keyof typeof expected] : []);
    expect(operations).toHaveLength(name in expected ? expected[name as keyof typeof expected].length : 0);
  });

  it('are reverted with data, which an explorer decodes', async () => {
    const errorOf = (hash: string) => check<string>('ots_getTransactionError', hash);
    const { ours, theirs } = chain.pair('failed creation');
    expect(await errorOf(ours.hash)).toBe(await anvil.result('ots_getTransactionError', [theirs.hash]));
    expect(await errorOf(chain.failed)).toMatch(/^0x[0-9a-f]{8}/);
    expect(await errorOf(chain.transfer)).toBe('0x');
  });

  it.each(['ots_traceTransaction', 'ots_getInternalOperations', 'ots_getTransactionError'])(
    'of an unknown transaction are an error: %s',
    async (method) => {
      expect(reasonOf(await node.call(method, [MISSING]))).toBe('TRANSACTION_NOT_FOUND');
    },
  );
});

describe('a block', () => {
  it('is shown without its transactions and with its fees', async () => {
    const { hash, number } = chain.block;
    const details = await check<Details>('ots_getBlockDetails', Number(number));
    expect(await check('ots_getBlockDetailsByHash', hash)).toEqual(details);
    const view = await node.result<Record<string, unknown>>('eth_getBlockByNumber', [number, false]);
    const { transactions, ...members } = view as { transactions: string[] };
    expect(details.block).toEqual({ ...members, logsBloom: null, transactionCount: transactions.length });
    expect(details.issuance).toEqual({ blockReward: '0x0', uncleReward: '0x0', issuance: '0x0' });
    expect(await check('ots_getBlockDetails', 9_999_999)).toBeNull();
    expect(await check('ots_getBlockDetailsByHash', MISSING)).toBeNull();
  });

  it('has pages of transactions and receipts, the last transactions first', async () => {
    const from = chain.owner;
    const nonce = Number(await node.result('eth_getTransactionCount', [from, 'pending']));
    const data = `0x${'ab'.repeat(100)}`;
    const sent = await Promise.all(
      Array.from({ length: 7 }, (_, ahead) =>
        node.result<string>('eth_sendTransaction', [
          { from, to: chain.holder, gas: '0x186a0', data, nonce: `0x${(nonce + ahead).toString(16)}` },
        ]),
      ),
    );
    const receipts = await Promise.all(sent.map((hash) => node.mined(hash)));
    const number = receipts.at(-1)?.blockNumber as string;
    const { transactions } = await node.result<{ transactions: string[] }>('eth_getBlockByNumber', [
      number,
      false,
    ]);
    const pages: string[][] = [];
    for (let page = 0; page * 2 < transactions.length; page++) {
      const { fullblock, receipts: shown } = await check<Page>(
        'ots_getBlockTransactions',
        Number(number),
        page,
        2,
      );
      pages.unshift(fullblock.transactions.map(({ hash }) => hash));
      expect(shown.map(({ transactionHash }) => transactionHash)).toEqual(pages[0]);
      expect(fullblock.transactions[0]?.input).toBe('0xabababab');
    }
    expect(pages.flat()).toEqual(transactions);
    const beyond = await check<Page>('ots_getBlockTransactions', number, 1_000_000, 25);
    expect(beyond.receipts).toEqual([]);
    expect(await check('ots_getBlockTransactions', 9_999_999, 0, 25)).toBeNull();
  });

  it('has no page larger than Erigon allows, and none without transactions', async () => {
    for (const [size, page] of [
      [256, 0],
      [0, 0],
      [25, -1],
    ]) {
      const { error } = await node.call('ots_getBlockTransactions', ['latest', page, size]);
      expect(error).toMatchObject({
        code: -32602,
        data: { field: page === -1 ? 'pageNumber' : 'pageSize' },
      });
    }
  });
});
