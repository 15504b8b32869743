import { isAbsolute } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { keccakHash } from '@tetrad/crypto';
import { getBytes } from 'ethers/utils';
import { reasonOf, type RunningNode } from '../../running-node.js';
import { MISSING, useStandardChain, type StandardChain } from '../../standard-chain.js';

let chain: StandardChain;
let node: RunningNode;
let check: StandardChain['check'];
useStandardChain((started) => {
  chain = started;
  ({ node, check } = started);
});

describe('the node and its chain', () => {
  it('are described by their methods', async () => {
    expect(await check('web3_clientVersion')).toMatch(/^Tetrad\/v/);
    expect(await check('web3_sha3', '0x616263')).toBe(keccakHash(Buffer.from('abc')));
    expect(await check('net_version')).toBe('1337');
    expect(await check('net_listening')).toBe(true);
    expect(await check('net_peerCount')).toBe('0x0');
    expect(await check('rpc_modules')).toMatchObject({ eth: '1.0', debug: '1.0' });
    const genesis = await node.result<{ hash: string }>('eth_getBlockByNumber', ['0x0', false]);
    expect(await check('admin_nodeInfo')).toMatchObject({
      enode: expect.stringMatching(/^enode:\/\/[0-9a-f]{128}@/),
      protocols: {
        eth: {
          network: 1337,
          consensus: 'istanbul',
          genesis: genesis.hash,
          difficulty: expect.any(Number) as unknown,
          // As the genesis file has it.
          config: { chainId: 1337, qbft: expect.any(Object) as unknown },
        },
      },
    });
    expect(isAbsolute(await check<string>('admin_datadir'))).toBe(true);
    expect(await check('admin_peers')).toEqual([]);
    expect(await check('eth_chainId')).toBe('0x539');
    expect(Number(await check('eth_blockNumber'))).toBeGreaterThan(0);
    expect(await check('eth_syncing')).toBe(false);
    const whole = { disabled: false, oldestBlock: '0x0' };
    expect(await check('eth_capabilities')).toEqual({
      head: { number: expect.any(String), hash: expect.any(String) },
      state: whole,
      tx: whole,
      logs: whole,
      receipts: whole,
      blocks: whole,
      stateproofs: whole,
    });
    expect(await check('eth_mining')).toBe(true);
    expect(await check('eth_hashrate')).toBe('0x0');
    expect(await check('eth_coinbase')).toMatch(/^0x[0-9a-f]{40}$/);
    expect(await check('eth_protocolVersion')).toBe('0x44');
    expect(await check('eth_accounts')).toEqual(node.accounts);
  });

  it('have a gas price of zero', async () => {
    expect(await check('eth_gasPrice')).toBe('0x0');
    expect(await check('eth_maxPriorityFeePerGas')).toBe('0x0');
    expect(await check('eth_baseFee')).toBe('0x0');
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

  it('form a chain: each names its parent, and none is earlier than it', async () => {
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

  it('are returned in their encoding', async () => {
    const { block } = chain;
    const header = await check<string>('debug_getRawHeader', block.number);
    const raw = await check<string>('debug_getRawBlock', block.number);
    expect(raw).toContain(header.slice(2));
    for (const reference of [Number(block.number), block.number, block.hash, { blockHash: block.hash }])
      expect(await check('debug_getBlockRlp', reference)).toBe(raw);
    expect((await node.call('debug_getBlockRlp', [10_000_000])).error?.data).toMatchObject({
      reason: 'BLOCK_NOT_FOUND',
    });
    const { size } = await node.result<{ size: string }>('eth_getBlockByNumber', [block.number, false]);
    expect(Number(size)).toBe(getBytes(raw).length);
    expect(await check<string[]>('debug_getRawReceipts', block.number)).not.toHaveLength(0);
  });
});
