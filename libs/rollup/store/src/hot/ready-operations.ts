import { columnsOf, type SqlRow } from '@tetrad/db';
import { operation } from '../generated/tables.js';
import type { StoredOperation } from '../operation-rows.js';
import { OPERATION_FIELDS, parseOperation } from '../parse-operation.js';
import type { Statements } from '../statements.js';

/** What can be executed, of each kind no more than was asked for. */
export interface ReadyOperations {
  /** In turns of their accounts. */
  readonly operations: readonly StoredOperation[];
  /** In the order of acceptance. */
  readonly registrations: readonly StoredOperation[];
}

const { table, columns } = operation;
const IS_READY = `${columns.status} = 'PENDING' AND NOT ${columns.waiting}`;
const FIELDS = columnsOf(operation, [...OPERATION_FIELDS, 'turn']);

/** Each part goes through a partial index. */
const READY = `
  SELECT own.* FROM (
         SELECT ${FIELDS} FROM ${table}
           WHERE ${IS_READY} AND ${columns.accountId} IS NOT NULL AND ${columns.sequence} <> ALL($2::bigint[])
          ORDER BY ${columns.turn}, ${columns.sequence} LIMIT $1 FOR UPDATE SKIP LOCKED) AS own
   UNION ALL
  SELECT made.* FROM (
         SELECT ${FIELDS} FROM ${table} WHERE ${IS_READY} AND ${columns.accountId} IS NULL
          ORDER BY ${columns.sequence} LIMIT $1 FOR UPDATE SKIP LOCKED) AS made
   ORDER BY turn, sequence`;

/**
 * Pending operations that can be executed, except those that are being replaced.
 *
 * @param statements - of a transaction
 * @param limit - of operations, and of registrations
 * @param without - sequence numbers of operations that have their place already: as many others are read
 */
export async function readyOperations(
  statements: Statements,
  limit: number,
  without: readonly number[],
): Promise<ReadyOperations> {
  const { rows } = await statements.query<SqlRow<typeof operation, (typeof OPERATION_FIELDS)[number]>>({
    name: 'ready-operations',
    text: READY,
    values: [limit, without],
  });
  const ready = rows.map(parseOperation);
  const isRegistration = ({ operation: { kind } }: StoredOperation) => kind === 'createAccount';
  return {
    operations: ready.filter((one) => !isRegistration(one)),
    registrations: ready.filter(isRegistration),
  };
}
