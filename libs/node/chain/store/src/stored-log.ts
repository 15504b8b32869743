import type { SqlRow } from '@tetrad/db';
import { addressFromBytes, hashFromBytes } from '@tetrad/types';
import { log, privateLog } from './generated/tables.js';
import type { StoredLog } from './ledger-rows.js';

/** The tables of logs: those of the chain, and those of this node's private transactions. */
export const LOG_TABLES = { public: log, private: privateLog };
export type LogKind = keyof typeof LOG_TABLES;

/** Fields of a log of either table. */
export const LOG_FIELDS = [
  'blockNumber',
  'index',
  'transactionIndex',
  'address',
  'topic0',
  'topic1',
  'topic2',
  'topic3',
  'data',
] as const;

/** A row of either table of logs. */
export type ReadLog = SqlRow<typeof log, (typeof LOG_FIELDS)[number]>;

export function toStoredLog({ topic0, topic1, topic2, topic3, ...row }: ReadLog): StoredLog {
  const topics = [topic0, topic1, topic2, topic3];
  return {
    blockNumber: row.blockNumber,
    index: row.index,
    transactionIndex: row.transactionIndex,
    address: addressFromBytes(row.address),
    topics: topics.flatMap((topic) => (topic === null ? [] : [hashFromBytes(topic)])),
    data: row.data,
  };
}
