import { asBuffer, type Database } from '@tetrad/db';
import { hashToBytes, type Hash } from '@tetrad/types';
import { findBlocks } from './hot/find-blocks.js';
import { findTransactions } from './hot/find-transactions.js';
import { listLogs, type LogPart } from './hot/list-logs.js';
import type { StoredBlock, StoredLog, StoredTransaction } from './ledger-rows.js';

/** Reads the chain's rows by number, hash or place, each by a key. */
export class ChainReader {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  async findHead(): Promise<StoredBlock | undefined> {
    return (await findBlocks(this.database.pool, 'find-head'))[0];
  }

  async findBlockByNumber(number: number): Promise<StoredBlock | undefined> {
    return (await findBlocks(this.database.pool, 'find-block-by-number', [number]))[0];
  }

  async findBlockByHash(hash: Hash): Promise<StoredBlock | undefined> {
    return (await findBlocks(this.database.pool, 'find-block-by-hash', [asBuffer(hashToBytes(hash))]))[0];
  }

  /** In ascending order; numbers are inclusive, missing blocks are omitted. */
  listBlocks(from: number, to: number): Promise<StoredBlock[]> {
    return findBlocks(this.database.pool, 'list-blocks', [from, to]);
  }

  /** In the order of the block. */
  listTransactions(blockNumber: number): Promise<StoredTransaction[]> {
    return findTransactions(this.database.pool, 'list-transactions', blockNumber);
  }

  async findTransaction(hash: Hash): Promise<StoredTransaction | undefined> {
    const key = asBuffer(hashToBytes(hash));
    return (await findTransactions(this.database.pool, 'find-transaction', key))[0];
  }

  /** In the order of the block; all of them, or `count` from the index `first` on. */
  async listBlockLogs(blockNumber: number, part?: LogPart): Promise<StoredLog[]> {
    return part?.count === 0 ? [] : listLogs(this.database.pool, 'public', { blockNumber, part });
  }
}
