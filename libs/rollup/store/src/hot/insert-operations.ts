import { decodeWord } from '@tetrad/rollup-crypto';
import { account, operation } from '../generated/tables.js';
import type { Statements } from '../statements.js';
import { OPERATION_RECORD, type WrittenOperation } from '../written-operation.js';
import { REPLACED } from './replace-pending.js';

/** An operation of a group. */
export interface GroupedOperation extends WrittenOperation {
  readonly position: number;
  /** Another of the same group takes its nonce. */
  readonly replaced: boolean;
}

const { columns } = operation;
const registered = account.columns;

/** One that was rejected is tried again when it is sent again: its nonce is not used up. */
const INSERT = `
  WITH asked AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS new (position int, ${OPERATION_RECORD.definition}, replaced boolean)
  ), registered AS (
    INSERT INTO ${account.table} (${registered.publicKey}, ${registered.operationHash}, ${registered.jointKey}, ${registered.blindingFactor})
    SELECT decode("publicKey", 'hex'), decode("hash", 'hex'), decode("jointKey", 'hex'), decode("blindingFactor", 'hex')
      FROM asked WHERE "publicKey" IS NOT NULL ORDER BY position
    ON CONFLICT (${registered.publicKey}) DO NOTHING
    RETURNING ${registered.operationHash} AS hash
  ), accepted AS MATERIALIZED (
    SELECT * FROM asked
     WHERE "publicKey" IS NULL OR decode("hash", 'hex') IN (SELECT registered.hash FROM registered)
  ), written AS (
    INSERT INTO ${operation.table} (${OPERATION_RECORD.columns}, ${columns.status}, ${columns.rejectionReason})
    SELECT ${OPERATION_RECORD.values}, CASE WHEN replaced THEN 'REJECTED' ELSE 'PENDING' END,
           CASE WHEN replaced THEN '${REPLACED}' END
      FROM accepted ORDER BY position
    ON CONFLICT (${columns.hash}) DO UPDATE
       SET ${columns.sequence} = excluded.${columns.sequence}, ${columns.status} = excluded.${columns.status},
           ${columns.rejectionReason} = excluded.${columns.rejectionReason},
           ${columns.signature} = excluded.${columns.signature}, ${columns.acceptedAt} = now()
     WHERE ${operation.table}.${columns.status} = 'REJECTED'
  )
  SELECT decode("hash", 'hex') AS hash FROM accepted`;

/**
 * Stores operations and the accounts that they register.
 *
 * @returns the hashes of those that were accepted: of account creations only those whose key is not registered
 */
export async function insertOperations(
  statements: Statements,
  group: readonly GroupedOperation[],
): Promise<ReadonlySet<bigint>> {
  const { rows } = await statements.query<{ hash: Buffer }>({
    name: 'accept-operations',
    text: INSERT,
    values: [JSON.stringify(group)],
  });
  return new Set(rows.map(({ hash }) => decodeWord(hash)));
}
