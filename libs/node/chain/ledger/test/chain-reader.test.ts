import { describe, expect, it } from '@jest/globals';
import { EMPTY_OMMERS_HASH, EMPTY_ROOT, encodeHeader } from '@tetrad/node-block';
import { decodeTransaction } from '@tetrad/node-execution';
import type { StoredBlock, LedgerStore, StoredTransaction } from '@tetrad/node-store';
import { developmentAccounts, type DevelopmentAccount } from '@tetrad/testkit';
import { signTransaction } from '@tetrad/transactions';
import {
  ZERO_ADDRESS,
  ZERO_HASH,
  silentMetrics,
  type BlockHeader,
  type Hash,
  type Receipt,
} from '@tetrad/types';
import { ChainReader } from '../src/chain-reader.js';

const CHAIN_ID = 1337n;
const [{ privateKey }] = developmentAccounts(1, 'reader') as [DevelopmentAccount];
const transaction = decodeTransaction(
  signTransaction(
    {
      chainId: CHAIN_ID,
      nonce: 0n,
      gasLimit: 21_000n,
      to: ZERO_ADDRESS,
      value: 0n,
      data: new Uint8Array(0),
      fees: { type: 'legacy', gasPrice: 0n },
    },
    privateKey,
  ),
  CHAIN_ID,
);
const header: BlockHeader = {
  parentHash: ZERO_HASH,
  ommersHash: EMPTY_OMMERS_HASH,
  beneficiary: ZERO_ADDRESS,
  stateRoot: EMPTY_ROOT,
  transactionsRoot: EMPTY_ROOT,
  receiptsRoot: EMPTY_ROOT,
  logsBloom: new Uint8Array(256),
  difficulty: 1n,
  number: 1,
  gasLimit: 30_000_000n,
  gasUsed: 0n,
  timestamp: 1n,
  extraData: new Uint8Array(0),
  mixHash: ZERO_HASH,
  nonce: new Uint8Array(8),
};
const { stateRoot, timestamp } = header;
const block: StoredBlock = {
  number: 1,
  hash: ZERO_HASH,
  stateRoot,
  timestamp,
  header: encodeHeader(header),
  totalTransactions: 1,
};
const row: StoredTransaction = {
  blockNumber: 1,
  index: 0,
  hash: transaction.hash,
  sender: transaction.sender,
  raw: transaction.raw,
  status: 1,
  gasUsed: 21_000n,
  cumulativeGasUsed: 21_000n,
  firstLog: 0,
  logCount: 0,
};

const readerOf = (store: Partial<LedgerStore>): ChainReader =>
  new ChainReader({
    store: store as LedgerStore,
    chainId: CHAIN_ID,
    cachedTransactions: 10,
    metrics: silentMetrics,
  });

describe('a block that is appended while it is read', () => {
  it('is read with its transactions, or not yet', async () => {
    let isCommitted = false;
    const store = {
      async listTransactions() {
        return isCommitted ? [row] : [];
      },
      async findBlockByNumber() {
        // The statement is on its way when the block is committed.
        await new Promise((arrived) => setImmediate(arrived));
        isCommitted = true;
        return block;
      },
    };
    const reader = readerOf(store);
    expect((await reader.findBlock(1))?.transactions).toEqual([transaction]);
    expect((await reader.findBlock(1))?.transactions).toHaveLength(1);
  });
});

describe('receipts of new heads', () => {
  const receipt: Receipt = {
    type: 'legacy',
    status: 1,
    gasUsed: 21_000n,
    cumulativeGasUsed: 21_000n,
    logs: [],
    logsBloom: new Uint8Array(256),
  };
  const hashAt = (number: number) => `0x${number.toString(16).padStart(64, '0')}` as Hash;
  const asked: Hash[] = [];
  const store = {
    async findTransaction(hash: Hash) {
      asked.push(hash);
      return undefined;
    },
  };
  const reader = readerOf(store);
  const remember = (number: number, cumulativeGasUsed = 21_000n) =>
    reader.remember(
      {
        hash: hashAt(number),
        header: { ...header, number },
        transactions: [{ ...transaction, hash: hashAt(number) }],
      },
      [{ ...receipt, cumulativeGasUsed }],
    );
  const find = async (number: number) =>
    (await reader.findReceipt(hashAt(number)))?.receipt.cumulativeGasUsed;

  it('are found by transaction until newer ones take their room, looked for meanwhile or not', async () => {
    remember(1);
    remember(2);
    expect(await find(1)).toBe(21_000n);
    remember(2, 5n);
    expect(await find(2)).toBe(5n);
    for (let number = 3; number <= 9; number++) remember(number);
    expect(asked).toEqual([]);
    expect([await find(1), await find(2), await find(4)]).toEqual([undefined, undefined, undefined]);
    expect(asked).toEqual([1, 2, 4].map(hashAt));
    expect([await find(5), await find(9)]).toEqual([21_000n, 21_000n]);
  });
});
