import { randomBytes } from 'node:crypto';
import { keccak256 } from '@tetrad/crypto';
import { addressFromBytes, hashFromBytes, type Address, type Hash } from '@tetrad/types';
import type { StoredBlock, HashedBytes, StoredLog, StoredTransaction } from '../../src/index.js';

let number = 0;
/** Another number each time, so that no row is there already. */
export const nextNumber = (): number => ++number;

export const anyHash = (): Hash => hashFromBytes(randomBytes(32));
export const anyAddress = (): Address => addressFromBytes(randomBytes(20));

export const blockRow = (number: number): StoredBlock => ({
  number,
  hash: anyHash(),
  stateRoot: anyHash(),
  timestamp: BigInt(number),
  header: randomBytes(600),
  totalTransactions: number,
});

/** Transactions of the block, of the size of a transfer. */
export const transactionRows = (blockNumber: number, count: number): StoredTransaction[] =>
  Array.from({ length: count }, (_, index) => ({
    blockNumber,
    index,
    hash: anyHash(),
    sender: anyAddress(),
    raw: randomBytes(110),
    status: 1,
    gasUsed: 21_000n,
    cumulativeGasUsed: 21_000n,
    firstLog: index,
    logCount: 1,
  }));

/** Logs of the block, of the size of a token transfer. */
export const logRows = (blockNumber: number, count: number): StoredLog[] =>
  Array.from({ length: count }, (_, index) => ({
    blockNumber,
    index,
    transactionIndex: index,
    address: anyAddress(),
    topics: [anyHash(), anyHash(), anyHash()],
    data: randomBytes(32),
  }));

/** Trie nodes of the size of most. */
export const nodeRows = (count: number): HashedBytes[] =>
  Array.from({ length: count }, () => {
    const bytes = randomBytes(300);
    return { hash: keccak256(bytes), bytes };
  });
