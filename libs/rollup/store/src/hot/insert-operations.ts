import { decodeWord } from '@tetrad/rollup-crypto';
import { account, accountQuota, operation } from '../generated/tables.js';
import type { Statements } from '../statements.js';
import { OPERATION_RECORD, type WrittenOperation } from '../written-operation.js';
import { ALL_ACCOUNTS } from './read-arrivals.js';
import { REPLACED } from './replace-pending.js';

/** An operation of a group. */
export interface GroupedOperation extends WrittenOperation {
  readonly position: number;
  /** Another of the same group takes its nonce. */
  readonly replaced: boolean;
  /** It is one more of the quota of its account. */
  readonly counts: boolean;
  /** Undefined for a registration, and for what is pending or executed. */
  readonly turn: number | undefined;
  /** As many turns it has, and as many operations of the quota it is. */
  readonly places: number;
}

const { columns } = operation;
const registered = account.columns;
const quota = accountQuota.columns;

/** One that was rejected is tried again when it is sent again: its nonce is not used up. */
const INSERT = `
  WITH asked AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS new (position int, ${OPERATION_RECORD.definition}, replaced boolean, counts boolean, turn bigint, places int)
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
    INSERT INTO ${operation.table} (${OPERATION_RECORD.columns}, ${columns.turn}, ${columns.status}, ${columns.rejectionReason})
    SELECT ${OPERATION_RECORD.values}, coalesce(turn, 0), CASE WHEN replaced THEN 'REJECTED' ELSE 'PENDING' END,
           CASE WHEN replaced THEN '${REPLACED}' END
      FROM accepted ORDER BY position
    ON CONFLICT (${columns.hash}) DO UPDATE
       SET ${columns.sequence} = excluded.${columns.sequence}, ${columns.turn} = excluded.${columns.turn},
           ${columns.status} = excluded.${columns.status}, ${columns.rejectionReason} = excluded.${columns.rejectionReason},
           ${columns.signature} = excluded.${columns.signature}, ${columns.acceptedAt} = now()
     WHERE ${operation.table}.${columns.status} = 'REJECTED'
  ), counted AS (
    INSERT INTO ${accountQuota.table} AS had (${quota.accountId}, ${quota.windowStart}, ${quota.accepted}, ${quota.turn})
    SELECT coalesce("accountId", ${ALL_ACCOUNTS}), to_timestamp($2::float8 / 1000), coalesce(sum(places) FILTER (WHERE counts), 0), max(turn + places - 1)
      FROM asked WHERE turn IS NOT NULL GROUP BY GROUPING SETS ("accountId", ()) HAVING count(*) > 0
    ON CONFLICT (${quota.accountId}) DO UPDATE
       SET ${quota.accepted} = excluded.${quota.accepted} +
             CASE WHEN had.${quota.windowStart} >= excluded.${quota.windowStart} THEN had.${quota.accepted} ELSE 0 END,
           ${quota.windowStart} = greatest(had.${quota.windowStart}, excluded.${quota.windowStart}),
           ${quota.turn} = greatest(had.${quota.turn}, excluded.${quota.turn})
  )
  SELECT decode("hash", 'hex') AS hash FROM accepted`;

/**
 * Stores operations and the accounts that they register, and counts them for the quotas of those that sent them.
 *
 * @param statements - of a transaction
 * @param group - operations that are admitted
 * @param windowStartMs - begin of the window of quotas, in ms since the epoch
 * @returns the hashes of those that were accepted: of account creations only those whose key is not registered
 */
export async function insertOperations(
  statements: Statements,
  group: readonly GroupedOperation[],
  windowStartMs: number,
): Promise<ReadonlySet<bigint>> {
  if (group.length === 0) return new Set();
  const { rows } = await statements.query<{ hash: Buffer }>({
    name: 'accept-operations',
    text: INSERT,
    values: [JSON.stringify(group), windowStartMs],
  });
  return new Set(rows.map(({ hash }) => decodeWord(hash)));
}
