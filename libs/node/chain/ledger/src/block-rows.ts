import { decodeHeader, encodeHeader, logsBloom } from '@tetrad/node-block';
import { decodeStoredTransaction, type StateChanges } from '@tetrad/node-execution';
import type {
  StoredBlock,
  BlockWrite,
  FlatWrite,
  JoinedRows,
  StoredLog,
  StoredTransaction,
} from '@tetrad/node-store';
import type {
  Block,
  Log,
  MinedLog,
  MinedReceipt,
  MinedTransaction,
  Receipt,
  SealedHeader,
  SignedTransaction,
  TransactionPosition,
} from '@tetrad/types';

/** Translates blocks into the store's rows and back. */

export function toBlockWrite(
  block: Block,
  executed: {
    readonly receipts: readonly Receipt[];
    readonly changes: StateChanges;
    readonly totalTransactions: number;
    readonly flat: FlatWrite;
    readonly joined: readonly JoinedRows[];
  },
): BlockWrite {
  const { number, timestamp, stateRoot } = block.header;
  const { changes } = executed;
  return {
    block: {
      number,
      hash: block.hash,
      stateRoot,
      timestamp,
      header: encodeHeader(block.header),
      totalTransactions: executed.totalTransactions,
    },
    parentHash: block.header.parentHash,
    ...receiptRows(block, executed.receipts),
    nodes: changes.nodes.map(({ hash, encoded }) => ({ hash, bytes: encoded })),
    codes: changes.codes.map(({ hash, code }) => ({ hash, bytes: code })),
    preimages: changes.preimages.map(({ hash, value }) => ({ hash, bytes: value })),
    flat: executed.flat,
    joined: executed.joined,
  };
}

/** The rows of the transactions of a block, with their receipts, and of the logs. */
export function receiptRows(
  block: Block,
  receipts: readonly Receipt[],
): Pick<BlockWrite, 'transactions' | 'logs'> {
  const blockNumber = block.header.number;
  const logs: StoredLog[] = [];
  const transactions = block.transactions.map((transaction, index): StoredTransaction => {
    const receipt = receipts[index] as Receipt;
    const firstLog = logs.length;
    for (const { address, topics, data } of receipt.logs) {
      logs.push({ blockNumber, index: logs.length, transactionIndex: index, address, topics, data });
    }
    return {
      blockNumber,
      index,
      hash: transaction.hash,
      sender: transaction.sender,
      raw: transaction.raw,
      status: receipt.status,
      gasUsed: receipt.gasUsed,
      cumulativeGasUsed: receipt.cumulativeGasUsed,
      ...(receipt.contractAddress === undefined ? {} : { contractAddress: receipt.contractAddress }),
      firstLog,
      logCount: receipt.logs.length,
      ...(receipt.revertReason === undefined ? {} : { revertReason: receipt.revertReason }),
    };
  });
  return { transactions, logs };
}

export function toTransaction(row: StoredTransaction, chainId: bigint): SignedTransaction {
  return decodeStoredTransaction(row.raw, { chainId, sender: row.sender });
}

export function toSealedHeader(row: StoredBlock): SealedHeader {
  return { hash: row.hash, header: decodeHeader(row.header) };
}

export function toBlock(
  row: StoredBlock,
  transactions: readonly StoredTransaction[],
  chainId: bigint,
): Block {
  return {
    ...toSealedHeader(row),
    transactions: transactions.map((transaction) => toTransaction(transaction, chainId)),
  };
}

/** Position of a transaction in a block. */
export function positionIn(block: SealedHeader, transactionIndex: number): TransactionPosition {
  const { number, timestamp, baseFeePerGas } = block.header;
  return {
    blockHash: block.hash,
    blockNumber: number,
    blockTimestamp: timestamp,
    ...(baseFeePerGas === undefined ? {} : { baseFeePerGas }),
    transactionIndex,
  };
}

/** The receipts of a block, from its rows. */
export function toReceipts(
  block: Block,
  rows: readonly StoredTransaction[],
  logs: readonly StoredLog[],
): MinedReceipt[] {
  return rows.map((row, index) => {
    const transaction = block.transactions[index] as SignedTransaction;
    const own = logs.slice(row.firstLog, row.firstLog + row.logCount);
    return toReceipt(block, row, { transaction, logs: own });
  });
}

/** The receipt of one transaction, from its row and those of its logs. */
export function toReceipt(
  block: SealedHeader,
  row: StoredTransaction,
  own: { readonly transaction: SignedTransaction; readonly logs: readonly StoredLog[] },
): MinedReceipt {
  const logs = own.logs.map(({ address, topics, data }): Log => ({ address, topics, data }));
  return {
    transaction: own.transaction,
    position: positionIn(block, row.index),
    receipt: {
      type: own.transaction.type,
      status: row.status,
      gasUsed: row.gasUsed,
      cumulativeGasUsed: row.cumulativeGasUsed,
      logsBloom: logsBloom(logs),
      logs,
      ...(row.contractAddress === undefined ? {} : { contractAddress: row.contractAddress }),
      ...(row.revertReason === undefined ? {} : { revertReason: row.revertReason }),
    },
    firstLogIndex: row.firstLog,
  };
}

/** The transaction at the index; undefined when the block has fewer. */
export function minedAt(block: Block, index: number): MinedTransaction | undefined {
  const transaction = block.transactions[index];
  return transaction === undefined ? undefined : { transaction, position: positionIn(block, index) };
}

/** The receipts of a block with their places in the chain, in order. */
export function minedReceipts(block: Block, receipts: readonly Receipt[]): MinedReceipt[] {
  let firstLogIndex = 0;
  return receipts.map((receipt, index) => {
    const transaction = block.transactions[index] as SignedTransaction;
    const mined = { transaction, position: positionIn(block, index), receipt, firstLogIndex };
    firstLogIndex += receipt.logs.length;
    return mined;
  });
}

/** The logs of a block with their places in the chain, in order. */
export function minedLogs(block: Block, receipts: readonly Receipt[]): MinedLog[] {
  const logs: MinedLog[] = [];
  receipts.forEach((receipt, index) => {
    const transaction = block.transactions[index] as SignedTransaction;
    const { blockHash, blockNumber, blockTimestamp, transactionIndex } = positionIn(block, index);
    for (const log of receipt.logs) {
      const place = { blockHash, blockNumber, blockTimestamp, transactionIndex };
      logs.push({ log, ...place, transactionHash: transaction.hash, logIndex: logs.length });
    }
  });
  return logs;
}
