import { asBuffer, type Database } from '@tetrad/db';
import { addressFromBytes, hashFromBytes, hashToBytes, type Hash } from '@tetrad/types';
import type { BlockRow, ChainIdentity, LogRow, TransactionRow } from './ledger-rows.js';
import { toLogRow, type StoredLog } from './stored-log.js';

interface StoredChain {
  readonly chain_id: string;
  readonly genesis_hash: Buffer;
}

interface StoredBlock {
  readonly number: number;
  readonly hash: Buffer;
  readonly state_root: Buffer;
  readonly timestamp: string;
  readonly header: Buffer;
  readonly total_transactions: number;
}

interface StoredTransaction {
  readonly block_number: number;
  readonly index: number;
  readonly hash: Buffer;
  readonly sender: Buffer;
  readonly raw: Buffer;
  readonly status: number;
  readonly gas_used: string;
  readonly cumulative_gas_used: string;
  readonly contract_address: Buffer | null;
  readonly first_log: number;
  readonly log_count: number;
  readonly revert_reason: Buffer | null;
}

// Seconds and gas are 64-bit counts of others' choosing, and are read as texts.
const BLOCK = 'SELECT number, hash, state_root, timestamp::text, header, total_transactions FROM block';
const TRANSACTION = `SELECT block_number, index, hash, sender, raw, status, gas_used::text, cumulative_gas_used::text,
                            contract_address, first_log, log_count, revert_reason
                       FROM transaction`;
const LOG = `SELECT block_number, index, transaction_index, address, topic0, topic1, topic2, topic3, data
               FROM log WHERE block_number = $1`;

/** Reads the chain's rows by number, hash or place, each by a key. */
export class ChainReader {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /** Identity of the stored chain; undefined in a new database. */
  async findIdentity(): Promise<ChainIdentity | undefined> {
    const text = 'SELECT chain_id::text, genesis_hash FROM chain WHERE id = 1';
    const [chain] = await this.read<StoredChain>('find-identity', text);
    return chain && { chainId: BigInt(chain.chain_id), genesisHash: hashFromBytes(chain.genesis_hash) };
  }

  findHead(): Promise<BlockRow | undefined> {
    return this.findBlock(
      'find-head',
      `${BLOCK} WHERE number = (SELECT head_number FROM chain WHERE id = 1)`,
    );
  }

  findBlockByNumber(number: number): Promise<BlockRow | undefined> {
    return this.findBlock('find-block-by-number', `${BLOCK} WHERE number = $1`, number);
  }

  findBlockByHash(hash: Hash): Promise<BlockRow | undefined> {
    return this.findBlock('find-block-by-hash', `${BLOCK} WHERE hash = $1`, asBuffer(hashToBytes(hash)));
  }

  /** In ascending order; numbers are inclusive, missing blocks are omitted. */
  async listBlocks(from: number, to: number): Promise<BlockRow[]> {
    const text = `${BLOCK} WHERE number BETWEEN $1 AND $2 ORDER BY number`;
    return (await this.read<StoredBlock>('list-blocks', text, from, to)).map(toBlockRow);
  }

  /** In the order of the block. */
  async listTransactions(blockNumber: number): Promise<TransactionRow[]> {
    const text = `${TRANSACTION} WHERE block_number = $1 ORDER BY index`;
    return (await this.read<StoredTransaction>('list-transactions', text, blockNumber)).map(toTransactionRow);
  }

  async findTransaction(hash: Hash): Promise<TransactionRow | undefined> {
    const text = `${TRANSACTION} WHERE hash = $1`;
    const [row] = await this.read<StoredTransaction>('find-transaction', text, asBuffer(hashToBytes(hash)));
    return row && toTransactionRow(row);
  }

  /** In the order of the block; all of them, or `count` from the index `first` on. */
  async listBlockLogs(
    blockNumber: number,
    part?: { readonly first: number; readonly count: number },
  ): Promise<LogRow[]> {
    if (part?.count === 0) return [];
    const rows = await (part === undefined
      ? this.read<StoredLog>('list-block-logs', `${LOG} ORDER BY index`, blockNumber)
      : this.read<StoredLog>(
          'list-logs-of-part',
          `${LOG} AND index >= $2 AND index < $3 ORDER BY index`,
          ...[blockNumber, part.first, part.first + part.count],
        ));
    return rows.map(toLogRow);
  }

  private async findBlock(name: string, text: string, ...key: unknown[]): Promise<BlockRow | undefined> {
    const [block] = await this.read<StoredBlock>(name, text, ...key);
    return block && toBlockRow(block);
  }

  /** The server parses and plans a named statement once for each connection. */
  private async read<Row extends object>(name: string, text: string, ...values: unknown[]): Promise<Row[]> {
    return (await this.database.pool.query<Row>({ name, text, values })).rows;
  }
}

function toBlockRow(block: StoredBlock): BlockRow {
  return {
    number: block.number,
    hash: hashFromBytes(block.hash),
    stateRoot: hashFromBytes(block.state_root),
    timestamp: BigInt(block.timestamp),
    header: block.header,
    totalTransactions: block.total_transactions,
  };
}

function toTransactionRow(row: StoredTransaction): TransactionRow {
  return {
    blockNumber: row.block_number,
    index: row.index,
    hash: hashFromBytes(row.hash),
    sender: addressFromBytes(row.sender),
    raw: row.raw,
    status: row.status === 1 ? 1 : 0,
    gasUsed: BigInt(row.gas_used),
    cumulativeGasUsed: BigInt(row.cumulative_gas_used),
    ...(row.contract_address === null ? {} : { contractAddress: addressFromBytes(row.contract_address) }),
    firstLog: row.first_log,
    logCount: row.log_count,
    ...(row.revert_reason === null ? {} : { revertReason: row.revert_reason }),
  };
}
