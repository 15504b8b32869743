import { columnsOf } from '@tetrad/db';
import type { StoredLog } from '../ledger-rows.js';
import type { Statements } from '../statements.js';
import { LOG_FIELDS, LOG_TABLES, toStoredLog, type LogKind, type ReadLog } from '../stored-log.js';

/** Logs of a block by their index: `first` and the `count - 1` that follow it. */
export interface LogPart {
  readonly first: number;
  readonly count: number;
}

/** The logs of a block in its order, all of them or a part. */
export async function listLogs(
  statements: Statements,
  kind: LogKind,
  { blockNumber, part }: { readonly blockNumber: number; readonly part?: LogPart | undefined },
): Promise<StoredLog[]> {
  const from = LOG_TABLES[kind];
  const { table, columns } = from;
  const select = `SELECT ${columnsOf(from, LOG_FIELDS)} FROM ${table} WHERE ${columns.blockNumber} = $1`;
  const within = part === undefined ? '' : `AND ${columns.index} >= $2 AND ${columns.index} < $3`;
  const { rows } = await statements.query<ReadLog>({
    name: `list-${part === undefined ? 'all' : 'some'}-${table}s`,
    text: `${select} ${within} ORDER BY ${columns.index}`,
    values: [blockNumber, ...(part === undefined ? [] : [part.first, part.first + part.count])],
  });
  return rows.map(toStoredLog);
}
