import { addressFromBytes, hashFromBytes } from '@tetrad/types';
import type { LogRow } from './ledger-rows.js';

/** A row of `log` or `private_log`. */
export interface StoredLog {
  readonly block_number: number;
  readonly index: number;
  readonly transaction_index: number;
  readonly address: Buffer;
  readonly topic0: Buffer | null;
  readonly topic1: Buffer | null;
  readonly topic2: Buffer | null;
  readonly topic3: Buffer | null;
  readonly data: Buffer;
}

export function toLogRow(row: StoredLog): LogRow {
  const topics = [row.topic0, row.topic1, row.topic2, row.topic3];
  return {
    blockNumber: row.block_number,
    index: row.index,
    transactionIndex: row.transaction_index,
    address: addressFromBytes(row.address),
    topics: topics.flatMap((topic) => (topic === null ? [] : [hashFromBytes(topic)])),
    data: row.data,
  };
}
