import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Address } from '@tetrad/types';
import { nodeStandardMethods } from '@tetrad/api-node';
import { keccakHash } from '@tetrad/crypto';
import { Wallet, getBytes, verifyMessage } from 'ethers';
import { validateExecutionApiResult } from '../../../../../libs/api/node/test/execution-api/validate-result.js';
import { reasonOf, type RunningNode } from '../../running-node.js';
import { startTokenChain, type TokenChain } from '../../token-chain.js';

let chain: TokenChain;
let node: RunningNode;
const exercised = new Set<string>();

beforeAll(async () => {
  chain = await startTokenChain();
  node = chain.node;
});
afterAll(() => node.stop());

/** Calls the method, holds the answer against the public shape, and gives it. */
async function check<T = unknown>(method: string, ...params: unknown[]): Promise<T> {
  const result = await node.result<T>(method, params);
  validateExecutionApiResult(method, result);
  exercised.add(method);
  return result;
}

const MISSING = `0x${'77'.repeat(32)}`;

describe('the node and its chain', () => {
  it('say what they are', async () => {
    expect(await check('web3_clientVersion')).toMatch(/^Tetrad\/v/);
    expect(await check('web3_sha3', '0x616263')).toBe(keccakHash(Buffer.from('abc')));
    expect(await check('net_version')).toBe('1337');
    expect(await check('net_listening')).toBe(true);
    expect(await check('net_peerCount')).toBe('0x0');
    expect(await check('rpc_modules')).toMatchObject({ eth: '1.0', debug: '1.0' });
    expect(await check('admin_nodeInfo')).toMatchObject({
      enode: expect.stringMatching(/^enode:\/\/[0-9a-f]{128}@/),
    });
    expect(await check('admin_peers')).toEqual([]);
    expect(await check('eth_chainId')).toBe('0x539');
    expect(Number(await check('eth_blockNumber'))).toBeGreaterThan(0);
    expect(await check('eth_syncing')).toBe(false);
    expect(await check('eth_mining')).toBe(true);
    expect(await check('eth_hashrate')).toBe('0x0');
    expect(await check('eth_coinbase')).toMatch(/^0x[0-9a-f]{40}$/);
    expect(await check('eth_protocolVersion')).toBe('0x44');
    expect(await check('eth_accounts')).toEqual(node.accounts);
  });

  it('ask nothing for gas', async () => {
    expect(await check('eth_gasPrice')).toBe('0x0');
    expect(await check('eth_maxPriorityFeePerGas')).toBe('0x0');
    expect(await check('eth_blobBaseFee')).toBe('0x1');
    const history = await check<{ baseFeePerGas: string[]; reward: string[][] }>(
      'eth_feeHistory',
      '0x3',
      'latest',
      [25, 75],
    );
    expect(history.baseFeePerGas).toEqual(['0x0', '0x0', '0x0', '0x0']);
    expect(history.reward).toHaveLength(3);
    expect(reasonOf(await node.call('eth_feeHistory', ['0x1', '0xffffff']))).toBe('BLOCK_NOT_FOUND');
  });
});

describe('blocks', () => {
  it('are found by number, tag and hash, with hashes or whole transactions', async () => {
    const { block, transfer } = chain;
    const byNumber = await check<{ hash: string; transactions: string[] }>(
      'eth_getBlockByNumber',
      block.number,
      false,
    );
    expect(byNumber.hash).toBe(block.hash);
    expect(byNumber.transactions).toContain(transfer);
    const byHash = await check<{ transactions: { hash: string }[] }>('eth_getBlockByHash', block.hash, true);
    expect(byHash.transactions.map(({ hash }) => hash)).toContain(transfer);
    for (const tag of ['latest', 'earliest', 'pending', 'safe', 'finalized'])
      await check('eth_getBlockByNumber', tag, true);
    expect(await check('eth_getBlockByHash', MISSING, false)).toBeNull();
    expect(await check('eth_getBlockByNumber', '0xffffff', false)).toBeNull();
  });

  it('chain up: each names its parent, none is earlier than it', async () => {
    const head = Number(await node.result('eth_blockNumber'));
    let parent = await node.result<Record<string, string>>('eth_getBlockByNumber', ['0x0', false]);
    for (let number = 1; number <= head; number++) {
      const block = await node.result<Record<string, string>>('eth_getBlockByNumber', [
        `0x${number.toString(16)}`,
        false,
      ]);
      expect(block['parentHash']).toBe(parent['hash']);
      expect(Number(block['timestamp'])).toBeGreaterThanOrEqual(Number(parent['timestamp']));
      parent = block;
    }
  });

  it('count transactions, have receipts and no uncles', async () => {
    const { block, transfer } = chain;
    expect(Number(await check('eth_getBlockTransactionCountByHash', block.hash))).toBeGreaterThan(0);
    expect(Number(await check('eth_getBlockTransactionCountByNumber', block.number))).toBeGreaterThan(0);
    expect(await check('eth_getUncleCountByBlockHash', block.hash)).toBe('0x0');
    expect(await check('eth_getUncleCountByBlockNumber', block.number)).toBe('0x0');
    expect(await check('eth_getUncleByBlockHashAndIndex', block.hash, '0x0')).toBeNull();
    expect(await check('eth_getUncleByBlockNumberAndIndex', block.number, '0x0')).toBeNull();
    const receipts = await check<{ transactionHash: string }[]>('eth_getBlockReceipts', block.number);
    expect(receipts.map(({ transactionHash }) => transactionHash)).toContain(transfer);
  });

  it('are given in their encoding', async () => {
    const { block } = chain;
    const header = await check<string>('debug_getRawHeader', block.number);
    const raw = await check<string>('debug_getRawBlock', block.number);
    expect(raw).toContain(header.slice(2));
    const { size } = await node.result<{ size: string }>('eth_getBlockByNumber', [block.number, false]);
    expect(Number(size)).toBe(getBytes(raw).length);
    expect(await check<string[]>('debug_getRawReceipts', block.number)).not.toHaveLength(0);
  });
});

describe('transactions', () => {
  it('are found by hash and by place', async () => {
    const { block, transfer, token } = chain;
    const found = await check<Record<string, string>>('eth_getTransactionByHash', transfer);
    expect(found).toMatchObject({ hash: transfer, to: token, blockHash: block.hash, type: '0x0' });
    const index = found['transactionIndex'];
    expect(await check('eth_getTransactionByBlockHashAndIndex', block.hash, index)).toEqual(found);
    expect(await check('eth_getTransactionByBlockNumberAndIndex', block.number, index)).toEqual(found);
    expect(await check('eth_getTransactionByHash', MISSING)).toBeNull();
    expect(await check('eth_getTransactionReceipt', MISSING)).toBeNull();
    expect(await check<string>('debug_getRawTransaction', transfer)).toMatch(/^0xf8/);
  });

  it('have receipts that tell success and failure apart', async () => {
    const { transfer, failed, deployment, token } = chain;
    const receipt = await check<{ status: string; logs: { address: string; logIndex: string }[] }>(
      'eth_getTransactionReceipt',
      transfer,
    );
    expect(receipt.status).toBe('0x1');
    expect(receipt.logs).toMatchObject([{ address: token }]);
    expect(await check('eth_getTransactionReceipt', failed)).toMatchObject({
      status: '0x0',
      logs: [],
      contractAddress: null,
    });
    expect(await check('eth_getTransactionReceipt', deployment)).toMatchObject({
      contractAddress: token,
      to: null,
    });
  });

  it('are accepted raw, and refused with the words that clients know', async () => {
    const wallet = new Wallet(Buffer.from(node.owners[0]?.privateKey ?? []).toString('hex'));
    const plain = {
      chainId: 1337,
      nonce: 0,
      gasLimit: 21_000,
      gasPrice: 0,
      to: chain.holder,
      value: 1,
      type: 0,
    };
    const raw = await wallet.signTransaction(plain);
    const hash = await check<string>('eth_sendRawTransaction', raw);
    expect(await node.mined(hash)).toMatchObject({ status: '0x1' });
    const again = await node.call('eth_sendRawTransaction', [raw]);
    expect(again.error).toMatchObject({
      code: -32000,
      message: expect.stringMatching(/^(nonce too low|already known)/),
    });
    const foreign = await node.call('eth_sendRawTransaction', [
      await wallet.signTransaction({ ...plain, chainId: 5 }),
    ]);
    expect(reasonOf(foreign)).toBe('INVALID_CHAIN_ID');
    for (const [bytes, reason] of [
      ['0x', 'MALFORMED_TRANSACTION'],
      ['0xc3010203', 'MALFORMED_TRANSACTION'],
      ['0x03c0', 'UNSUPPORTED_TRANSACTION_TYPE'],
      [`${raw}00`, 'MALFORMED_TRANSACTION'],
    ]) {
      expect([bytes, reasonOf(await node.call('eth_sendRawTransaction', [bytes]))]).toEqual([bytes, reason]);
    }
  });

  it('and messages are signed with the accounts of the node', async () => {
    const [account] = node.accounts as readonly [Address];
    const signature = await check<string>('eth_sign', account, '0xdeadbeef');
    expect(verifyMessage(getBytes('0xdeadbeef'), signature).toLowerCase()).toBe(account);
    const request = {
      from: account,
      to: chain.holder,
      gas: '0x5208',
      gasPrice: '0x0',
      nonce: '0x3e8',
      value: '0x1',
    };
    const { raw } = await check<{ raw: string }>('eth_signTransaction', request);
    const { Transaction } = await import('ethers');
    expect(Transaction.from(raw).from?.toLowerCase()).toBe(account);
    expect(reasonOf(await node.call('eth_sign', [chain.holder, '0x00']))).toBe('UNKNOWN_ACCOUNT');
    for (const [missing, reason] of [
      ['gas', 'GAS_NOT_SPECIFIED'],
      ['gasPrice', 'GAS_PRICE_NOT_SPECIFIED'],
      ['nonce', 'NONCE_NOT_SPECIFIED'],
    ]) {
      expect(
        reasonOf(await node.call('eth_signTransaction', [{ ...request, [missing as string]: undefined }])),
      ).toBe(reason);
    }
  });

  it('that wait are shown by the pool', async () => {
    const [account] = node.accounts as readonly [Address];
    const nonce = Number(await node.result('eth_getTransactionCount', [account, 'pending'])) + 5;
    const waiting = { from: account, to: chain.holder, gas: '0x5208', nonce: `0x${nonce.toString(16)}` };
    const hash = await node.result<string>('eth_sendTransaction', [waiting]);
    expect(await check('txpool_content')).toMatchObject({ queued: { [account]: { [nonce]: { hash } } } });
    expect(await check('txpool_contentFrom', account)).toMatchObject({ queued: { [nonce]: { hash } } });
    expect(await check('txpool_inspect')).toMatchObject({
      queued: { [account]: { [nonce]: expect.stringContaining('21000 gas') } },
    });
    expect(await check('txpool_status')).toMatchObject({ queued: '0x1' });
    expect(await check('eth_getTransactionByHash', hash)).toMatchObject({ blockHash: null });
  });
});

describe('the state', () => {
  it('is read at a block by number, tag and hash', async () => {
    const { owner, token, block, bytecode } = chain;
    expect(await check('eth_getBalance', owner, 'latest')).toMatch(/^0x[1-9a-f]/);
    expect(await check('eth_getBalance', owner, { blockHash: block.hash })).toMatch(/^0x/);
    expect(await check('eth_getBalance', `0x${'01'.repeat(20)}`, 'earliest')).toBe('0x0');
    const code = await check<string>('eth_getCode', token, 'latest');
    expect(bytecode.length).toBeGreaterThan(code.length);
    expect(await check('eth_getCode', token, '0x0')).toBe('0x');
    expect(await check('eth_getStorageAt', token, '0x0', 'latest')).toMatch(/^0x[0-9a-f]{64}$/);
    expect(Number(await check('eth_getTransactionCount', owner, 'latest'))).toBeGreaterThanOrEqual(3);
    expect(reasonOf(await node.call('eth_getBalance', [owner, '0xffffff']))).toBe('BLOCK_NOT_FOUND');
    expect(reasonOf(await node.call('eth_getBalance', [owner, { blockHash: MISSING }]))).toBe(
      'BLOCK_NOT_FOUND',
    );
  });

  it('is proven against the state root of its block', async () => {
    const { token, block } = chain;
    const proof = await check<{ accountProof: string[]; storageProof: { value: string }[] }>(
      'eth_getProof',
      token,
      ['0x0'],
      block.number,
    );
    const { stateRoot } = await node.result<{ stateRoot: string }>('eth_getBlockByNumber', [
      block.number,
      false,
    ]);
    expect(keccakHash(getBytes(proof.accountProof[0] as string))).toBe(stateRoot);
    expect(proof.storageProof).toHaveLength(1);
  });
});

describe('executions', () => {
  it('run a call, with what it pretends', async () => {
    const { abi, token, holder } = chain;
    const balanceOf = { to: token, data: abi.encodeFunctionData('balanceOf', [holder]) };
    expect(BigInt(await check<string>('eth_call', balanceOf, 'latest'))).toBe(1000n);
    expect(
      BigInt(await check<string>('eth_call', { ...balanceOf, input: balanceOf.data, data: undefined })),
    ).toBe(1000n);
    // Code that returns its own balance: SELFBALANCE, MSTORE at 0, RETURN 32 bytes.
    const overrides = { [holder]: { code: '0x4760005260206000f3', balance: '0x2a' } };
    expect(BigInt(await check<string>('eth_call', { to: holder }, 'latest', overrides))).toBe(42n);
  });

  it('give the bytes of a revert', async () => {
    const { abi, token, holder } = chain;
    const { error } = await node.call('eth_call', [
      { to: token, data: abi.encodeFunctionData('transfer', [holder, 1n]) },
      'latest',
    ]);
    expect(error).toMatchObject({ code: 3, message: 'execution reverted' });
    expect(abi.parseError(error?.data as string)?.name).toBe('InsufficientBalance');
  });

  it('stop an endless loop at its gas, and the node goes on answering meanwhile', async () => {
    const loop = { [chain.holder]: { code: '0x5b600056' } };
    const endless = node.call('eth_call', [{ to: chain.holder, gas: '0x2dc6c0' }, 'latest', loop]);
    expect(await node.result('eth_chainId')).toBe('0x539');
    expect((await endless).error).toMatchObject({ code: -32000, message: 'out of gas' });
  });

  it('estimate gas that suffices and is not too much', async () => {
    const { abi, token, holder, owner } = chain;
    expect(await check('eth_estimateGas', { from: owner, to: `0x${'cd'.repeat(20)}`, value: '0x1' })).toBe(
      '0x5208',
    );
    const transfer = { from: owner, to: token, data: abi.encodeFunctionData('transfer', [holder, 5n]) };
    const gas = await check<string>('eth_estimateGas', transfer);
    const exact = await node.mined(await node.result('eth_sendTransaction', [{ ...transfer, gas }]));
    expect(exact.status).toBe('0x1');
    const less = `0x${(Number(gas) - 1).toString(16)}`;
    expect(
      (await node.mined(await node.result('eth_sendTransaction', [{ ...transfer, gas: less }]))).status,
    ).toBe('0x0');
    const failing = {
      from: holder,
      to: token,
      data: abi.encodeFunctionData('transfer', [owner, 10n ** 20n]),
    };
    expect((await node.call('eth_estimateGas', [failing])).error).toMatchObject({ code: 3 });
  });

  it('list what they touch', async () => {
    const { abi, token, holder, owner } = chain;
    const request = { from: owner, to: token, data: abi.encodeFunctionData('transfer', [holder, 5n]) };
    const { accessList } = await check<{ accessList: { address: string; storageKeys: string[] }[] }>(
      'eth_createAccessList',
      request,
    );
    expect(accessList).toMatchObject([{ address: token }]);
    expect(accessList[0]?.storageKeys).toHaveLength(2);
  });

  it('are traced step by step and call by call', async () => {
    const trace = await check<{ gas: number; failed: boolean; structLogs: { op: string }[] }>(
      'debug_traceTransaction',
      chain.transfer,
    );
    const { gasUsed } = await node.result<{ gasUsed: string }>('eth_getTransactionReceipt', [chain.transfer]);
    expect(trace).toMatchObject({ failed: false, gas: Number(gasUsed) });
    expect(trace.structLogs.map(({ op }) => op)).toEqual(expect.arrayContaining(['SLOAD', 'SSTORE', 'LOG3']));
    const frame = await check<Record<string, unknown>>('debug_traceTransaction', chain.failed, {
      tracer: 'callTracer',
    });
    expect(frame).toMatchObject({ type: 'CALL', to: chain.token, error: 'execution reverted' });
    expect(reasonOf(await node.call('debug_traceTransaction', [MISSING]))).toBe('TRANSACTION_NOT_FOUND');
  });
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
    expect(reasonOf(await node.call('eth_getLogs', [{ fromBlock: '0x2', toBlock: '0x1' }]))).toBe(
      'INVALID_BLOCK_RANGE',
    );
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
    expect(reasonOf(await node.call('eth_getFilterChanges', [logs]))).toBe('FILTER_NOT_FOUND');
  });

  it('are not pushed over HTTP', async () => {
    expect(reasonOf(await node.call('eth_subscribe', ['newHeads']))).toBe('SUBSCRIPTIONS_NEED_WEBSOCKET');
    expect(reasonOf(await node.call('eth_unsubscribe', ['0x1']))).toBe('SUBSCRIPTIONS_NEED_WEBSOCKET');
  });
});

it('every standard method was exercised', () => {
  // The two that need a WebSocket have a file of their own.
  const pushed = ['eth_subscribe', 'eth_unsubscribe'];
  // So have those that need another node.
  const peers = ['admin_addPeer', 'admin_removePeer'];
  expect([...exercised, ...pushed, ...peers].sort()).toEqual(Object.keys(nodeStandardMethods).sort());
});
