import { addressFromBytes, hashFromBytes } from '@tetrad/types';
import type { StoredBlock, StoredLog, StoredTransaction, TransactionPlace } from './ledger-rows.js';
import type { NodeClient } from './node-client.js';

/** Transactions at places of the chain, the blocks that they are in, and their logs in the order of each block. */
export interface PlacedRows {
  readonly blocks: readonly StoredBlock[];
  readonly transactions: readonly StoredTransaction[];
  readonly logs: readonly StoredLog[];
}

/**
 * Reads the rows of transactions at places anywhere in the chain; places without a transaction are left out. What is at a place of a block
 * that is stored never changes, so that the three reads need no transaction.
 * @param places - at most some hundreds: each is a part of the statements
 */
export async function listPlacedRows(
  client: NodeClient,
  places: readonly TransactionPlace[],
): Promise<PlacedRows> {
  if (places.length === 0) return { blocks: [], transactions: [], logs: [] };
  const calls = await client.calls();
  const numbers = [...new Set(places.map(({ number }) => number))].map(BigInt);
  const at = places.map(({ number, index }) => ({ blockNumber: BigInt(number), index }));
  const ofTransaction = places.map(({ number, index }) => ({
    blockNumber: BigInt(number),
    transactionIndex: index,
  }));
  const [blocks, transactions, logs] = await Promise.all([
    calls.block.findMany({ where: { number: { in: numbers } } }),
    calls.transaction.findMany({ where: { OR: at } }),
    calls.log.findMany({ where: { OR: ofTransaction }, orderBy: [{ blockNumber: 'asc' }, { index: 'asc' }] }),
  ]);
  return {
    blocks: blocks.map(toStoredBlock),
    transactions: transactions.map(toStoredTransaction),
    logs: logs.map(toLog),
  };
}

type Calls = Awaited<ReturnType<NodeClient['calls']>>;
type BlockRow = Awaited<ReturnType<Calls['block']['findMany']>>[number];
type LogRow = Awaited<ReturnType<Calls['log']['findMany']>>[number];
type TransactionRow = Awaited<ReturnType<Calls['transaction']['findMany']>>[number];

function toLog({ blockNumber, topic0, topic1, topic2, topic3, ...row }: LogRow): StoredLog {
  return {
    blockNumber: Number(blockNumber),
    index: row.index,
    transactionIndex: row.transactionIndex,
    address: addressFromBytes(row.address),
    topics: [topic0, topic1, topic2, topic3].flatMap((topic) =>
      topic === null ? [] : [hashFromBytes(topic)],
    ),
    data: row.data,
  };
}

function toStoredBlock({ number, hash, stateRoot, totalTransactions, ...row }: BlockRow): StoredBlock {
  return {
    ...row,
    number: Number(number),
    hash: hashFromBytes(hash),
    stateRoot: hashFromBytes(stateRoot),
    totalTransactions: Number(totalTransactions),
  };
}

function toStoredTransaction({
  blockNumber,
  contractAddress,
  revertReason,
  ...row
}: TransactionRow): StoredTransaction {
  return {
    blockNumber: Number(blockNumber),
    index: row.index,
    hash: hashFromBytes(row.hash),
    sender: addressFromBytes(row.sender),
    raw: row.raw,
    status: row.status === 1 ? 1 : 0,
    gasUsed: row.gasUsed,
    cumulativeGasUsed: row.cumulativeGasUsed,
    ...(contractAddress === null ? {} : { contractAddress: addressFromBytes(contractAddress) }),
    firstLog: row.firstLog,
    logCount: row.logCount,
    ...(revertReason === null ? {} : { revertReason }),
  };
}
