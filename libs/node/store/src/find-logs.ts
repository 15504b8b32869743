import type { Database } from '@tetrad/db';
import { TetradError, addressToBytes, hashFromBytes, hashToBytes } from '@tetrad/types';
import type { FoundLogRow, LogQuery } from './ledger-rows.js';
import { toLogRow, type StoredLog } from './stored-log.js';

interface Row extends Omit<StoredLog, 'data'> {
  /** Null beyond the requested bytes. */
  readonly data: Buffer | null;
  readonly block_hash: Buffer;
  /** As text: a number would lose nanoseconds. */
  readonly block_timestamp: string;
  readonly transaction_hash: Buffer;
}

/** Public logs and those of this node's private transactions; each half is found by its own index. */
const EVERY_LOG = '(SELECT * FROM log UNION ALL SELECT * FROM private_log) AS log';

/** A search that exceeds its limit of bytes. */
export class LogDataError extends TetradError {
  override readonly name = 'LogDataError';
  override readonly code = 'TOO_MUCH_LOG_DATA';
}

/**
 * Logs of a block range by address and topics, in the order of the chain; an index serves each condition.
 *
 * Fails: LogDataError, before the bytes beyond the limit are read
 */
export async function findLogs(database: Database, query: LogQuery): Promise<FoundLogRow[]> {
  const values: unknown[] = [query.fromBlock, query.toBlock];
  const conditions = ['log.block_number BETWEEN $1 AND $2'];
  const demand = (column: string, members: readonly Uint8Array[]) => {
    values.push(members.map((member) => Buffer.from(member)));
    conditions.push(`log.${column} = ANY($${values.length}::bytea[])`);
  };
  if (query.addresses.length > 0) demand('address', query.addresses.map(addressToBytes));
  query.topics.forEach((wanted, position) => {
    if (wanted !== undefined) demand(`topic${position}`, wanted.map(hashToBytes));
    // A position that accepts any topic still requires one.
    else conditions.push(`log.topic${position} IS NOT NULL`);
  });
  values.push(query.maxDataBytes ?? null, query.limit);
  const running = 'sum(octet_length(log.data)) OVER (ORDER BY log.block_number, log.index)';
  const { rows } = await database.pool.query<Row>(
    `SELECT log.block_number, log.index, log.transaction_index, log.address,
            log.topic0, log.topic1, log.topic2, log.topic3,
            CASE WHEN $${values.length - 1}::bigint IS NULL OR ${running} <= $${values.length - 1} THEN log.data END AS data,
            block.hash AS block_hash, block.timestamp::text AS block_timestamp, transaction.hash AS transaction_hash
       FROM ${query.includePrivate === true ? EVERY_LOG : 'log'}
       JOIN block ON block.number = log.block_number
       JOIN transaction ON transaction.block_number = log.block_number AND transaction.index = log.transaction_index
      WHERE ${conditions.join(' AND ')}
      ORDER BY log.block_number, log.index
      LIMIT $${values.length}`,
    values,
  );
  return rows.map(({ data, ...row }) => {
    if (data === null) throw new LogDataError(`the logs have more than ${query.maxDataBytes} bytes of data`);
    return toFoundLog({ ...row, data });
  });
}

function toFoundLog(row: Row & { readonly data: Buffer }): FoundLogRow {
  return {
    ...toLogRow(row),
    blockHash: hashFromBytes(row.block_hash),
    blockTimestamp: BigInt(row.block_timestamp),
    transactionHash: hashFromBytes(row.transaction_hash),
  };
}
