import { JsonRpcProvider, type BlockParams, type Network } from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { reasonOf } from '../../running-node.js';
import { startTokenChain, type TokenChain } from '../../token-chain.js';
import { callOf, initCodeOf } from './trace-contracts.js';

/**
 * What the page of Otterscan 2.10 sends, recorded in Chromium from its views of an account, a token, transactions and a block, and read as the page
 * reads it: by ethers, in batches.
 */

interface Chunk {
  readonly txs: readonly { readonly hash: string; readonly blockNumber: string }[];
  readonly receipts: readonly { readonly transactionHash: string; readonly timestamp: unknown }[];
  readonly firstPage: boolean;
  readonly lastPage: boolean;
}

interface TraceEntry {
  readonly type: string;
  readonly depth: number;
  readonly from: string;
  readonly to: string;
  readonly value: string | null;
  readonly input: string;
  readonly output: string;
}

const ORIGIN = 'https://explorer.example.com';
const PAGE_SIZE = 25;
/** Reads `name()` of a token. */
const NAME_CALL = '0x06fdde03';

let chain: TokenChain;
let provider: JsonRpcProvider;
let network: Network;
/** A contract that passes wei on to the holder, and the transaction that had it do so. */
let passing: { readonly address: string; readonly hash: string };

/** Asks as the page does. */
const ask = <T>(method: string, ...params: unknown[]) => provider.send(method, params) as Promise<T>;

async function send(transaction: object) {
  const request = { from: chain.owner, gas: '0x7a120', ...transaction };
  const hash = await chain.node.result<string>('eth_sendTransaction', [request]);
  return { hash, ...(await chain.node.mined(hash)) };
}

beforeAll(async () => {
  chain = await startTokenChain(['--address-index', 'true', '--cors-origins', ORIGIN]);
  const { contractAddress } = await send({ data: initCodeOf(callOf('call', chain.holder, 5)) });
  const { hash } = await send({ to: contractAddress, value: '0x5' });
  passing = { address: contractAddress, hash };
  const search = () => chain.node.call('ots_searchTransactionsBefore', [chain.owner, 0, PAGE_SIZE]);
  await until(async () => reasonOf(await search()) === undefined);
  provider = new JsonRpcProvider(chain.node.url, undefined, { staticNetwork: true });
  network = await provider.getNetwork();
});
afterAll(async () => {
  provider?.destroy();
  await chain?.node.stop();
});

/** The transactions of a page of a history, read as the page reads them. */
function historyOf({ txs, receipts }: Chunk) {
  return txs.map((transaction, index) => {
    const { gasPrice, ...response } = provider._wrapTransactionResponse(transaction as never, network);
    const receipt = provider._wrapTransactionReceipt(receipts[index] as never, network);
    const time = Number(receipts[index]?.timestamp);
    return { ...response, fee: receipt.gasUsed * gasPrice, status: receipt.status, time };
  });
}

describe('the page of Otterscan', () => {
  it('is let in from its origin, and finds a node that it can use', async () => {
    const { headers } = await fetch(chain.node.url, {
      method: 'OPTIONS',
      headers: {
        origin: ORIGIN,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
    const [header, level, height] = await Promise.all([
      ask<{ number: string; timestamp: string }>('erigon_getHeaderByNumber', 'latest'),
      ask<number>('ots_getApiLevel'),
      provider.getBlockNumber(),
    ]);
    expect(level).toBeGreaterThanOrEqual(8);
    expect(Number(header.number)).toBeLessThanOrEqual(height + 1);
  });

  it('shows an account: balance, nonce, and a history with fees, states and times', async () => {
    const [hasCode, creator, balance, nonce, chunk] = await Promise.all([
      ask<boolean>('ots_hasCode', chain.owner, 'latest'),
      ask('ots_getContractCreator', chain.owner),
      provider.getBalance(chain.owner),
      provider.getTransactionCount(chain.owner),
      ask<Chunk>('ots_searchTransactionsBefore', chain.owner, 0, PAGE_SIZE),
    ]);
    expect([hasCode, creator, nonce]).toEqual([false, null, 5]);
    expect(balance).toBeGreaterThan(0n);
    const history = historyOf(chunk);
    expect(history.map(({ hash }) => hash)).toEqual([
      passing.hash,
      expect.any(String),
      chain.failed,
      chain.transfer,
      chain.deployment,
    ]);
    expect(history.map(({ status }) => status)).toEqual([1, 1, 0, 1, 1]);
    for (const { fee, time } of history) {
      expect(fee).toBe(0n);
      expect(time).toBeGreaterThan(1_500_000_000);
    }
    expect(chunk).toMatchObject({ firstPage: true, lastPage: true });
  });

  it('shows what others sent: tokens that arrived, and wei from a contract', async () => {
    const chunk = await ask<Chunk>('ots_searchTransactionsBefore', chain.holder, 0, PAGE_SIZE);
    expect(historyOf(chunk).map(({ hash }) => hash)).toEqual([passing.hash, chain.transfer]);
    const last = await ask<Chunk>('ots_searchTransactionsAfter', chain.holder, 0, PAGE_SIZE);
    expect(last).toEqual(chunk);
    const before = Number(chunk.txs[0]?.blockNumber);
    const older = await ask<Chunk>('ots_searchTransactionsBefore', chain.holder, before, PAGE_SIZE);
    expect(historyOf(older).map(({ hash }) => hash)).toEqual([chain.transfer]);
    expect(older).toMatchObject({ firstPage: false, lastPage: true });
  });

  it('shows internal calls of a transaction, in its overview and as a tree', async () => {
    const operations = await ask<{ type: number; from: string; to: string; value: string }[]>(
      'ots_getInternalOperations',
      passing.hash,
    );
    expect(operations).toEqual([{ type: 0, from: passing.address, to: chain.holder, value: '0x5' }]);
    const calls = await ask<TraceEntry[]>('ots_traceTransaction', passing.hash);
    expect(calls).toMatchObject([
      { type: 'CALL', depth: 0, from: chain.owner, to: passing.address, value: '0x5' },
      { type: 'CALL', depth: 1, from: passing.address, to: chain.holder, value: '0x5', input: '0x' },
    ]);
    const { stateDiff } = await ask<{ stateDiff: object }>('trace_replayTransaction', passing.hash, [
      'stateDiff',
    ]);
    expect(stateDiff).toMatchObject({
      [chain.holder]: { balance: expect.anything(), nonce: expect.anything() },
    });
  });

  it('shows a token: its creator, its name, and a transfer of it', async () => {
    const [creator, hasCode, code, name] = await Promise.all([
      ask('ots_getContractCreator', chain.token),
      ask<boolean>('ots_hasCode', chain.token, 'latest'),
      ask<string>('eth_getCode', chain.token, 'latest'),
      provider.call({ to: chain.token, data: NAME_CALL }),
    ]);
    expect(creator).toEqual({ hash: chain.deployment, creator: chain.owner });
    expect(hasCode).toBe(true);
    expect(code.length).toBeGreaterThan(2);
    expect(chain.abi.decodeFunctionResult('name', name)[0]).toBe('Token');
    const receipt = await provider.getTransactionReceipt(chain.transfer);
    expect(receipt?.logs.map((log) => chain.abi.parseLog(log)?.args[2] as bigint)).toEqual([1000n]);
  });

  it('shows why a transaction failed', async () => {
    const data = await ask<string>('ots_getTransactionError', chain.failed);
    expect(chain.abi.parseError(data)?.name ?? '').not.toBe('');
    expect(await ask('ots_getTransactionError', chain.transfer)).toBe('0x');
    // Where it reverted: the page pairs the opcodes of each call with the calls of the tree.
    const { vmTrace } = await ask<{ vmTrace: { code: string; ops: { op: string; sub: unknown }[] } }>(
      'trace_replayTransaction',
      chain.failed,
      ['vmTrace'],
    );
    const tree = await ask<TraceEntry[]>('ots_traceTransaction', chain.failed);
    expect(vmTrace.ops.filter(({ sub }) => sub !== null)).toHaveLength(tree.length - 1);
    expect(vmTrace.ops.at(-1)?.op).toBe('REVERT');
    expect(vmTrace.code).toBe(await ask('eth_getCode', chain.token, 'latest'));
  });

  it('finds the transaction of an account by its nonce', async () => {
    expect(await ask('ots_getTransactionBySenderAndNonce', chain.owner, 1)).toBe(chain.transfer);
    const transaction = await provider.getTransaction(chain.transfer);
    expect(transaction).toMatchObject({ nonce: 1, type: 0 });
  });

  it('shows a block, and its transactions by pages', async () => {
    const number = Number(chain.block.number);
    const { block, issuance, totalFees } = await ask<{
      block: BlockParams & { size: string; transactionCount: number };
      issuance: { blockReward: string };
      totalFees: string;
    }>('ots_getBlockDetails', number);
    const read = provider._wrapBlock({ ...block, transactions: [] } as never, network);
    expect(read).toMatchObject({ hash: chain.block.hash, number, baseFeePerGas: expect.anything() });
    expect([BigInt(issuance.blockReward), BigInt(totalFees)]).toEqual([0n, 0n]);
    expect(block.transactionCount).toBe(1);
    expect(await ask('ots_getBlockDetailsByHash', chain.block.hash)).toMatchObject({ block });
    const page = await ask<{ fullblock: object; receipts: object[] }>(
      'ots_getBlockTransactions',
      number,
      0,
      PAGE_SIZE,
    );
    const full = provider._wrapBlock(page.fullblock as never, network);
    expect(full.prefetchedTransactions.map(({ hash }) => hash)).toEqual([chain.transfer]);
    const receipts = page.receipts.map((receipt) =>
      provider._wrapTransactionReceipt({ ...receipt, logs: [] } as never, network),
    );
    expect(receipts.map(({ hash, status }) => [hash, status])).toEqual([[chain.transfer, 1]]);
  });
});
