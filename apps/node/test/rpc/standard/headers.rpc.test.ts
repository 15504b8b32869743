import { describe, expect, it } from '@jest/globals';
import type { RunningNode } from '../../running-node.js';
import { MISSING, useStandardChain, type StandardChain } from '../../standard-chain.js';

let chain: StandardChain;
let node: RunningNode;
let check: StandardChain['check'];
useStandardChain((started) => {
  chain = started;
  ({ node, check } = started);
});

describe('headers', () => {
  it('are those of their blocks, without the content', async () => {
    const { block } = chain;
    const whole = await node.result<Record<string, unknown>>('eth_getBlockByNumber', [block.number, false]);
    const { size, transactions, uncles, withdrawals, ...members } = whole;
    expect([size, transactions, uncles, withdrawals]).not.toContain(undefined);
    expect(await check('eth_getHeaderByNumber', block.number)).toEqual(members);
    expect(await check('eth_getHeaderByHash', block.hash)).toEqual(members);
    expect(await check('eth_getHeaderByHash', MISSING)).toBeNull();
    expect(await check('eth_getHeaderByNumber', '0xffffff')).toBeNull();
  });

  it('sum the difficulty: that of block 0, and 1 for each block after it', async () => {
    const { block } = chain;
    const genesis = await check<{ difficulty: string; totalDifficulty: string }>(
      'eth_getHeaderByNumber',
      '0x0',
    );
    expect(genesis.totalDifficulty).toBe(genesis.difficulty);
    const later = await check<{ totalDifficulty: string }>('eth_getBlockByHash', block.hash, false);
    expect(BigInt(later.totalDifficulty)).toBe(BigInt(genesis.difficulty) + BigInt(block.number));
  });

  it('need a valid block reference: the error describes any other', async () => {
    const problemOf = async (block: unknown) => {
      const { error } = await node.call('eth_getHeaderByNumber', [block]);
      expect(error).toMatchObject({ code: -32602, data: { field: 'block' } });
      return error?.message;
    };
    expect(await problemOf('0x01')).toBe(
      'invalid params: block: "0x01": hex number with leading zero digits',
    );
    expect(await problemOf(1.5)).toBe('invalid params: block: 1.5 is not a whole number');
    expect(await problemOf(2 ** 53)).toContain('above 2^53 - 1');
    expect(await problemOf('0x20000000000000')).toContain('above 2^53 - 1');
    expect(await problemOf('newest')).toContain('"newest" is not a block tag');
    expect(await problemOf(chain.block.hash)).toContain('is a block hash, and a number or a tag is wanted');
    const { error } = await node.call('eth_getBalance', [chain.owner, { blockNumber: '0x01' }]);
    expect(error).toMatchObject({ data: { field: 'block.blockNumber' } });
    expect(error?.message).toContain('leading zero digits');
  });
});

describe('raw transactions', () => {
  it('are as submitted, for every form of reference; empty when unknown', async () => {
    const { block, transfer } = chain;
    const raw = await node.result<string>('debug_getRawTransaction', [transfer]);
    expect(await check('eth_getRawTransactionByHash', transfer)).toBe(raw);
    const { transactionIndex } = await node.result<{ transactionIndex: string }>('eth_getTransactionByHash', [
      transfer,
    ]);
    expect(await check('eth_getRawTransactionByBlockHashAndIndex', block.hash, transactionIndex)).toBe(raw);
    expect(await check('eth_getRawTransactionByBlockNumberAndIndex', block.number, transactionIndex)).toBe(
      raw,
    );
    expect(await check('eth_getRawTransactionByHash', MISSING)).toBe('0x');
    expect(await check('eth_getRawTransactionByBlockNumberAndIndex', '0x0', '0x0')).toBe('0x');
    expect(await check('eth_getRawTransactionByBlockHashAndIndex', MISSING, '0x0')).toBe('0x');
  });
});

describe('receipts', () => {
  it('show that no private transaction is behind them', async () => {
    expect(await check('eth_getTransactionReceipt', chain.transfer)).toMatchObject({
      isPrivacyMarkerTransaction: false,
    });
  });
});

describe('the rules of the chain', () => {
  it('are returned, with their precompiles and fork id', async () => {
    const { current, next, last } = await check<{
      current: { forkId: string; precompiles: Record<string, string>; chainId: string };
      next: unknown;
      last: unknown;
    }>('eth_config');
    expect([next, last]).toEqual([null, null]);
    expect(current.chainId).toBe('0x539');
    expect(current.precompiles).toMatchObject({
      ECREC: `0x${'0'.repeat(39)}1`,
      P256VERIFY: `0x${'0'.repeat(37)}100`,
    });
    // Every precompile that is named answers: SHA-256 of nothing.
    const to = current.precompiles['SHA256'];
    expect(await node.result('eth_call', [{ to }])).toBe(
      '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
  });
});
