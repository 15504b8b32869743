import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, until } from '@tetrad/testkit';
import { validateExecutionApiResult } from '../../../../../libs/api/node/test/execution-api/validate-result.js';
import { reasonOf, startNode, type RunningNode } from '../../running-node.js';
import { startTokenChain, type TokenChain } from '../../token-chain.js';
import { CREATES, callOf, initCodeOf } from './trace-contracts.js';

interface History {
  readonly txs: readonly { readonly hash: string; readonly blockNumber: string }[];
  readonly receipts: readonly { readonly transactionHash: string; readonly timestamp: number }[];
  readonly firstPage: boolean;
  readonly lastPage: boolean;
}

let chain: TokenChain;
let node: RunningNode;
/** Contracts: one that creates others, and one that calls the first. */
let creates: string;
let calls: string;
let created: { readonly hash: string; readonly address: string };

async function check<T>(method: string, ...params: unknown[]): Promise<T> {
  const result = await node.result<T>(method, params);
  validateExecutionApiResult(method, result);
  return result;
}

/** A request waits two seconds for the index; on a busy host it is asked again. */
const untilIndexed = (method: string, ...params: unknown[]) =>
  until(async () => reasonOf(await node.call(method, params)) !== 'ADDRESS_INDEX_NOT_AVAILABLE');

async function before(address: string, blockNumber = 0, size = 25): Promise<History> {
  await untilIndexed('ots_searchTransactionsBefore', address, blockNumber, size);
  return check<History>('ots_searchTransactionsBefore', address, blockNumber, size);
}

async function after(address: string, blockNumber = 0, size = 25): Promise<History> {
  await untilIndexed('ots_searchTransactionsAfter', address, blockNumber, size);
  return check<History>('ots_searchTransactionsAfter', address, blockNumber, size);
}

const hashesOf = ({ txs }: History) => txs.map(({ hash }) => hash);

/** The last block in the index, by the metrics. */
async function indexedBlock(): Promise<number> {
  const text = await (await fetch(`${node.opsUrl}/metrics`)).text();
  return Number(/^node_address_index_block(?:\{[^}]*\})? (-?\d+)$/m.exec(text)?.[1]);
}

async function send(transaction: object) {
  const request = { from: chain.owner, gas: '0x7a1200', ...transaction };
  const hash = await node.result<string>('eth_sendTransaction', [request]);
  const mined = { hash, ...(await node.mined(hash)) };
  await until(async () => (await indexedBlock()) >= Number(mined.blockNumber));
  return mined;
}

beforeAll(async () => {
  chain = await startTokenChain(['--address-index', '--rpc-max-trace-blocks', '12']);
  ({ node } = chain);
  creates = (await send({ data: initCodeOf(CREATES) })).contractAddress;
  calls = (await send({ data: initCodeOf(`${callOf('call', creates)}5f5f5ff05f5260205ff3`) }))
    .contractAddress;
  const { hash } = await send({ to: calls });
  const traces = await node.result<{ type: string; result: { address: string }; action: { from: string } }[]>(
    'trace_transaction',
    [hash],
  );
  const creation = traces.find(({ type, action }) => type === 'create' && action.from === calls);
  created = { hash, address: creation?.result.address as string };
});
afterAll(() => node.stop());

describe('the history of an address', () => {
  it('has what it sent and received, contracts, and tokens that moved, the newest first', async () => {
    const { holder, token, transfer, deployment, failed, owner } = chain;
    const ofOwner = await before(owner);
    expect(hashesOf(ofOwner)).toEqual(expect.arrayContaining([deployment, transfer, failed]));
    expect(ofOwner).toMatchObject({ firstPage: true, lastPage: true });
    // It received tokens by a log, and signed and received nothing.
    expect(hashesOf(await before(holder))).toEqual([transfer]);
    expect(hashesOf(await before(token))).toEqual([failed, transfer, deployment]);
    expect(hashesOf(await before(`0x${'12'.repeat(20)}`))).toEqual([]);
    const blocks = ofOwner.txs.map(({ blockNumber }) => Number(blockNumber));
    expect(blocks).toEqual(blocks.toSorted((one, other) => other - one));
    const [receipt] = ofOwner.receipts;
    const { timestamp } = await node.result<{ timestamp: string }>('eth_getBlockByNumber', [
      ofOwner.txs[0]?.blockNumber,
      false,
    ]);
    expect(receipt).toMatchObject({ transactionHash: ofOwner.txs[0]?.hash, timestamp: Number(timestamp) });
  });

  it('has calls between contracts and what they create', async () => {
    expect(hashesOf(await before(creates))[0]).toBe(created.hash);
    expect(hashesOf(await before(created.address))).toEqual([created.hash]);
  });

  it('is given in pages of whole blocks, in both directions', async () => {
    const all = await before(chain.owner);
    for (const turn of [before, after]) {
      const found: string[][] = [];
      let page = await turn(chain.owner, 0, 2);
      found.push(hashesOf(page));
      while (turn === before ? !page.lastPage : !page.firstPage) {
        const edge = turn === before ? page.txs.at(-1) : page.txs[0];
        page = await turn(chain.owner, Number(edge?.blockNumber), 2);
        found.push(hashesOf(page));
      }
      expect((turn === before ? found : found.toReversed()).flat()).toEqual(hashesOf(all));
      expect(found.length).toBeGreaterThan(2);
    }
  });

  it('has no page beyond the limit', async () => {
    const { error } = await node.call('ots_searchTransactionsBefore', [chain.owner, 0, 256]);
    expect(error).toMatchObject({ code: -32602, data: { field: 'pageSize' } });
  });
});

describe('look-ups in the index', () => {
  it('find a transaction by sender and nonce', async () => {
    const find = (nonce: number) => check('ots_getTransactionBySenderAndNonce', chain.owner, nonce);
    expect(await find(0)).toBe(chain.deployment);
    expect(await find(1)).toBe(chain.transfer);
    expect(await find(2)).toBe(chain.failed);
    expect(await find(9_999)).toBeNull();
    expect(await check('ots_getTransactionBySenderAndNonce', chain.holder, 0)).toBeNull();
  });

  it('find who created a contract: an account, or another contract', async () => {
    const find = (address: string) => check('ots_getContractCreator', address);
    expect(await find(chain.token)).toEqual({ hash: chain.deployment, creator: chain.owner });
    expect(await find(created.address)).toEqual({ hash: created.hash, creator: calls });
    expect(await find(chain.holder)).toBeNull();
  });
});

describe('the holders of a token', () => {
  interface Holders {
    readonly holders: readonly { readonly address: string; readonly blockNumber: number }[];
    readonly transactionsRead: number;
    readonly next: string | null;
  }

  it('are the accounts that its transfers name, in pages', async () => {
    const { abi, holder, owner, token } = chain;
    const others = ['c1', 'c2'].map((byte) => `0x${byte.repeat(20)}`);
    const sent = [];
    for (const to of others)
      sent.push(await send({ to: token, data: abi.encodeFunctionData('transfer', [to, 3n]) }));
    const list = (...params: unknown[]) => check<Holders>('explorer_listTokenHolders', token, ...params);
    const all = await list(100);
    const [first, second] = sent.map(({ blockNumber }) => Number(blockNumber)) as [number, number];
    // A failed transfer logs nothing, and what the creation gave its owner is in no log of it.
    expect(all.holders).toEqual([
      { address: owner, blockNumber: second },
      { address: others[1], blockNumber: second },
      { address: others[0], blockNumber: first },
      { address: holder, blockNumber: Number(chain.block.number) },
    ]);
    expect(all).toMatchObject({ transactionsRead: 5, next: null });
    const page = await list(2);
    expect(page).toMatchObject({ holders: all.holders.slice(0, 2), transactionsRead: 1 });
    const rest = await list(100, page.next);
    expect(rest.holders.map(({ address }) => address)).toEqual([owner, others[0], holder]);
    expect(await check('explorer_listTokenHolders', holder, 9)).toMatchObject({ holders: [], next: null });
  });

  it('have no page beyond the limit', async () => {
    const { error } = await node.call('explorer_listTokenHolders', [chain.token, 256]);
    expect(error).toMatchObject({ code: -32602, data: { field: 'pageSize' } });
  });
});

describe('private transactions', () => {
  it('are none where there are none', async () => {
    expect(await check('explorer_listPrivateTransactions', 0, 25)).toEqual({
      transactions: [],
      firstPage: true,
      lastPage: true,
    });
  });
});

describe('hostile transactions', () => {
  const flood = `0x${'fe'.repeat(20)}`;

  it('that call more accounts than are indexed have an entry for a thousand', async () => {
    // Calls 0x1000, 0x1001, … for as long as there is gas: PUSH2 0x1000, JUMPDEST, a call of the number, add 1, and again.
    const code = '61' + '1000' + '5b' + '5f5f5f5f5f855af150' + '600101' + '600356';
    const { contractAddress } = await send({ data: initCodeOf(code) });
    const { hash } = await send({ to: contractAddress, gas: '0x7a1200' });
    const called = (number: number) => `0x${number.toString(16).padStart(40, '0')}`;
    expect(hashesOf(await before(called(0x1001)))).toEqual([hash]);
    expect(hashesOf(await before(called(0x1000 + 1_500)))).toEqual([]);
    expect(hashesOf(await before(contractAddress))[0]).toBe(hash);
  });

  it('that log transfers with topics which are not addresses give no entry for them', async () => {
    const transfer = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
    // LOG3 with two topics: one has bits above an address, the other is one.
    const code = `73${flood.slice(2)}7f${'ff'.repeat(32)}7f${transfer}5f5fa300`;
    const { contractAddress } = await send({ data: initCodeOf(code) });
    const { hash } = await send({ to: contractAddress });
    expect(hashesOf(await before(flood))).toEqual([hash]);
    expect(hashesOf(await before(`0x${'ff'.repeat(20)}`))).toEqual([]);
  });
});

describe('the index of a node', () => {
  it('finds traces by address in any number of blocks, as a search of all blocks does', async () => {
    const filter = (criteria: object) => node.call('trace_filter', [criteria]);
    await until(async () => Number(await node.result('eth_blockNumber')) > 12);
    for (const address of [chain.token, calls, created.address, chain.owner])
      for (const criteria of [{ toAddress: [address] }, { fromAddress: [address] }]) {
        let found: unknown;
        // The index follows the newest block.
        await until(async () => (found = (await filter(criteria)).result) !== undefined);
        const all: unknown[] = [];
        const head = Number(await node.result('eth_blockNumber'));
        for (let from = 0; from <= head; from += 5) {
          const part = {
            ...criteria,
            fromBlock: `0x${from.toString(16)}`,
            toBlock: `0x${(from + 4).toString(16)}`,
          };
          all.push(...((await filter(part)).result as unknown[]));
        }
        expect(all).toEqual(found);
      }
    // Without addresses the index does not help.
    expect(reasonOf(await filter({}))).toBe('TRACE_LIMIT_EXCEEDED');
  });

  it('is refused by name on a node without it', async () => {
    const database = await createTestDatabase('node');
    const plain = await startNode([], { database });
    try {
      for (const [method, params] of [
        ['ots_searchTransactionsBefore', [chain.owner, 0, 25]],
        ['ots_searchTransactionsAfter', [chain.owner, 0, 25]],
        ['ots_getTransactionBySenderAndNonce', [chain.owner, 0]],
        ['ots_getContractCreator', [chain.owner]],
      ] as const)
        expect(reasonOf(await plain.call(method, params))).toBe('ADDRESS_INDEX_DISABLED');
      await until(async () => Number(await plain.result('eth_blockNumber')) > 0);
    } finally {
      await plain.stop();
    }
  });
});
