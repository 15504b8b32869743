import { namesOf, type Database, type SqlRow } from '@tetrad/db';
import { TetradError, addressToBytes, hashFromBytes, hashToBytes } from '@tetrad/types';
import { block, log, privateLog, transaction } from '../generated/tables.js';
import type { FoundLog, LogQuery } from '../ledger-rows.js';
import { LOG_FIELDS, toStoredLog, type ReadLog } from '../stored-log.js';

/** A search that exceeds its limit of bytes. */
export class LogDataError extends TetradError {
  override readonly name = 'LogDataError';
  override readonly code = 'TOO_MUCH_LOG_DATA';
}

interface Place {
  readonly blockHash: SqlRow<typeof block>['hash'];
  /** As text: a number would lose nanoseconds. */
  readonly blockTimestamp: string;
  readonly transactionHash: SqlRow<typeof transaction>['hash'];
}

/** Data: null beyond the requested bytes. */
type ReadFoundLog = Omit<ReadLog, 'data'> & Place & { readonly data: ReadLog['data'] | null };

const { columns } = log;

/** Public logs and those of this node's private transactions; each half is found by its own index. */
const EVERY_LOG = `(
  SELECT ${namesOf(log, LOG_FIELDS)} FROM ${log.table}
   UNION ALL
  SELECT ${namesOf(privateLog, LOG_FIELDS)} FROM ${privateLog.table}) AS log`;

const SELECTED = LOG_FIELDS.filter((field) => field !== 'data').map(
  (field) => `log.${columns[field]} AS "${field}"`,
);
const TOPICS = [columns.topic0, columns.topic1, columns.topic2, columns.topic3];
const PLACE = `log.${columns.blockNumber}, log.${columns.index}`;
const JOINS = `
  JOIN ${block.table} AS block ON block.${block.columns.number} = log.${columns.blockNumber}
  JOIN ${transaction.table} AS transaction
    ON transaction.${transaction.columns.blockNumber} = log.${columns.blockNumber}
   AND transaction.${transaction.columns.index} = log.${columns.transactionIndex}`;

/**
 * Logs of a block range by address and topics, in the order of the chain; an index serves each condition.
 * @throws LogDataError, before the bytes beyond the limit are read
 */
export async function findLogs(database: Database, query: LogQuery): Promise<FoundLog[]> {
  const { conditions, values } = conditionsOf(query);
  values.push(query.maxDataBytes ?? null, query.limit);
  const [bytes, limit] = [`$${values.length - 1}`, `$${values.length}`];
  const running = `sum(octet_length(log.${columns.data})) OVER (ORDER BY ${PLACE})`;
  const { rows } = await database.pool.query<ReadFoundLog>(
    `SELECT ${SELECTED.join(', ')},
            CASE WHEN ${bytes}::bigint IS NULL OR ${running} <= ${bytes} THEN log.${columns.data} END AS data,
            block.${block.columns.hash} AS "blockHash", block.${block.columns.timestamp}::text AS "blockTimestamp",
            transaction.${transaction.columns.hash} AS "transactionHash"
       FROM ${query.includePrivate === true ? EVERY_LOG : `${log.table} AS log`} ${JOINS}
      WHERE ${conditions.join(' AND ')}
      ORDER BY ${PLACE}
      LIMIT ${limit}`,
    values,
  );
  return rows.map(({ data, ...row }) => {
    if (data === null) throw new LogDataError(`the logs have more than ${query.maxDataBytes} bytes of data`);
    return toFoundLog({ ...row, data });
  });
}

function conditionsOf({ fromBlock, toBlock, addresses, topics }: LogQuery) {
  const values: unknown[] = [fromBlock, toBlock];
  const conditions = [`log.${columns.blockNumber} BETWEEN $1 AND $2`];
  const demand = (column: string | undefined, members: readonly Uint8Array[]) => {
    values.push(members.map((member) => Buffer.from(member)));
    conditions.push(`log.${column} = ANY($${values.length}::bytea[])`);
  };
  if (addresses.length > 0) demand(columns.address, addresses.map(addressToBytes));
  topics.forEach((wanted, position) => {
    if (wanted !== undefined) demand(TOPICS[position], wanted.map(hashToBytes));
    // A position that accepts any topic still requires one.
    else conditions.push(`log.${TOPICS[position]} IS NOT NULL`);
  });
  return { conditions, values };
}

function toFoundLog(row: ReadLog & Place): FoundLog {
  return {
    ...toStoredLog(row),
    blockHash: hashFromBytes(row.blockHash),
    blockTimestamp: BigInt(row.blockTimestamp),
    transactionHash: hashFromBytes(row.transactionHash),
  };
}
