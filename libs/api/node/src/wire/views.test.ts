import { describe, expect, it } from '@jest/globals';
import {
  ZERO_HASH,
  bytesFromHex,
  parseAddress,
  parseHash,
  type Block,
  type DynamicFeeTransaction,
  type LegacyTransaction,
  type MinedReceipt,
} from '@tetrad/types';
import { z } from 'zod';
import { ACCOUNT, BLOCK_HASH, CONTRACT, EMPTY_BLOOM, EMPTY_ROOT, RECIPIENT, TOPIC } from '../examples.js';
import { blockCodec, viewBlock, viewHeader } from './block.js';
import { receiptCodec, viewReceipt } from './receipt.js';
import { effectiveGasPrice, viewTransaction } from './transaction.js';

const common = {
  hash: parseHash(`0x${'6d'.repeat(32)}`),
  sender: parseAddress(ACCOUNT),
  raw: bytesFromHex('0x01'),
  chainId: 1337n,
  nonce: 7n,
  gasLimit: 90_000n,
  to: parseAddress(CONTRACT),
  value: 1n,
  data: bytesFromHex('0x'),
  r: 1n,
  s: 2n,
};
const legacy: LegacyTransaction = { ...common, type: 'legacy', gasPrice: 5n, v: 2709n };
const dynamic: DynamicFeeTransaction = {
  ...common,
  type: 'dynamicFee',
  maxFeePerGas: 10n,
  maxPriorityFeePerGas: 3n,
  accessList: [{ address: parseAddress(RECIPIENT), storageKeys: [ZERO_HASH] }],
  v: 1n,
};
const position = {
  blockHash: parseHash(BLOCK_HASH),
  blockNumber: 16,
  blockTimestamp: 1_760_000_000n,
  baseFeePerGas: 8n,
  transactionIndex: 2,
};

const block: Block = {
  hash: parseHash(BLOCK_HASH),
  header: {
    parentHash: ZERO_HASH,
    ommersHash: ZERO_HASH,
    beneficiary: parseAddress(ACCOUNT),
    stateRoot: parseHash(EMPTY_ROOT),
    transactionsRoot: parseHash(EMPTY_ROOT),
    receiptsRoot: parseHash(EMPTY_ROOT),
    logsBloom: bytesFromHex(EMPTY_BLOOM),
    difficulty: 1n,
    number: 16,
    gasLimit: 30_000_000n,
    gasUsed: 0n,
    timestamp: 1_760_000_000n,
    extraData: bytesFromHex('0xf8'),
    mixHash: ZERO_HASH,
    nonce: bytesFromHex('0x0000000000000000'),
    baseFeePerGas: 8n,
  },
  transactions: [legacy, dynamic],
};

describe('the price paid for gas', () => {
  it.each([
    [0n, 3n],
    [5n, 8n],
    [7n, 10n],
    [8n, 10n],
  ])('is at a base fee of %s the tip on top, at most the cap: %s', (baseFee, price) => {
    expect(effectiveGasPrice(dynamic, baseFee)).toBe(price);
  });

  it('is the gas price of a legacy transaction', () => {
    expect(effectiveGasPrice(legacy, 2n)).toBe(5n);
  });
});

describe('the view of a transaction', () => {
  it('has the parity and the list of its envelope', () => {
    expect(viewTransaction(dynamic, position)).toMatchObject({
      yParity: 1n,
      v: 1n,
      gasPrice: 10n,
      transactionIndex: 2,
    });
    expect(viewTransaction(legacy, position)).not.toHaveProperty('yParity');
    expect(viewTransaction(legacy, position)).not.toHaveProperty('accessList');
  });

  it('has no place while it is pending, and its cap as price', () => {
    const pending = viewTransaction(dynamic);
    expect(pending).toMatchObject({
      blockHash: null,
      blockNumber: null,
      transactionIndex: null,
      gasPrice: 10n,
    });
  });
});

describe('the view of a block', () => {
  it('holds hashes, or whole transactions in their places', () => {
    const hashes = viewBlock(block, { sizeBytes: 600, transactions: 'hashes' });
    expect(hashes.transactions).toEqual([legacy.hash, dynamic.hash]);
    const full = viewBlock(block, { sizeBytes: 600, transactions: 'full' });
    expect(full.transactions).toMatchObject([
      { transactionIndex: 0 },
      { transactionIndex: 1, gasPrice: 10n },
    ]);
    expect(z.encode(blockCodec, full)).toMatchObject({
      size: '0x258',
      miner: ACCOUNT,
      number: '0x10',
      uncles: [],
    });
  });

  it('has withdrawals only after Shanghai', () => {
    expect(viewBlock(block, { sizeBytes: 1, transactions: 'hashes' })).not.toHaveProperty('withdrawals');
    const shanghai = { ...block, header: { ...block.header, withdrawalsRoot: parseHash(EMPTY_ROOT) } };
    expect(viewBlock(shanghai, { sizeBytes: 1, transactions: 'hashes' }).withdrawals).toEqual([]);
    expect(viewHeader(shanghai)).toHaveProperty('withdrawalsRoot');
  });
});

describe('the view of a receipt', () => {
  const log = { address: parseAddress(CONTRACT), topics: [parseHash(TOPIC)], data: bytesFromHex('0x') };
  const mined: MinedReceipt = {
    transaction: dynamic,
    position,
    firstLogIndex: 4,
    receipt: {
      type: 'dynamicFee',
      status: 0,
      gasUsed: 30_000n,
      cumulativeGasUsed: 90_000n,
      logsBloom: bytesFromHex(EMPTY_BLOOM),
      logs: [log, log],
    },
  };

  it('counts logs through the block and names the price paid', () => {
    const view = viewReceipt(mined);
    expect(view.logs.map(({ logIndex }) => logIndex)).toEqual([4, 5]);
    expect(z.encode(receiptCodec, view)).toMatchObject({
      status: '0x0',
      type: '0x2',
      effectiveGasPrice: '0xa',
      contractAddress: null,
      logs: [{ blockTimestamp: '0x68e77800', removed: false }, {}],
    });
  });
});
