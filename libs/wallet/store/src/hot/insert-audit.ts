import type { PoolClient } from 'pg';
import type { Database } from '@tetrad/db';
import { auditRecord, walletKey } from '../generated/tables.js';
import type { AuditRecord } from '../wallet-rows.js';

/** A record, and the version of the key's row that it depends on, if it does. */
export interface AuditEntry {
  readonly record: AuditRecord;
  readonly keyVersion?: number;
}

const audit = auditRecord.columns;
const key = walletKey.columns;

/**
 * The records travel as one JSON text, which costs a third of an array for each column. Look-ups of key and record
 * are of one snapshot: what was deleted before the statement began is not there. LIMIT keeps the planner from
 * reading the whole table of keys for a group.
 */
const INSERT = `
  WITH asked AS MATERIALIZED (
    SELECT record.*, record.key_version IS NULL OR held.version IS NOT DISTINCT FROM record.key_version AS stands
      FROM json_to_recordset($1::json) AS record (
             position int, caller text, request_id text, address text, action text, content text, digest text,
             cid text, message text, decision text, reason text, key_version bigint)
      LEFT JOIN LATERAL (
             SELECT xmin::text::bigint AS version FROM ${walletKey.table}
              WHERE record.key_version IS NOT NULL AND ${walletKey.table}.${key.address} = decode(record.address, 'hex')
              LIMIT 1) AS held ON true
  ), written AS (
    INSERT INTO ${auditRecord.table}
           (${audit.caller}, ${audit.requestId}, ${audit.address}, ${audit.action}, ${audit.content}, ${audit.digest},
            ${audit.cid}, ${audit.message}, ${audit.decision}, ${audit.reason})
    SELECT caller, request_id, decode(address, 'hex'), action, content, decode(digest, 'hex'), cid,
           message::jsonb, decision, reason
      FROM asked WHERE stands ORDER BY position
  )
  SELECT position FROM asked WHERE NOT stands`;

/**
 * Adds the records in one statement, alone or as a part of a transaction.
 *
 * @param to - the pool, or the connection of a transaction
 * @returns positions of those that were left out, because the row of the key has not the version any more
 */
export async function insertAuditRecords(
  to: Pick<PoolClient, 'query'> | Database['pool'],
  entries: readonly AuditEntry[],
): Promise<ReadonlySet<number>> {
  const { rows } = await to.query<{ position: number }>({
    name: 'append-audit',
    text: INSERT,
    values: [JSON.stringify(entries.map(wireRecord))],
  });
  return new Set(rows.map(({ position }) => position));
}

function wireRecord({ record, keyVersion }: AuditEntry, position: number) {
  return {
    position,
    caller: printable(record.caller),
    request_id: record.requestId,
    address: hexOf(record.address),
    action: record.action,
    content: record.content,
    digest: record.digest === undefined ? undefined : hexOf(record.digest),
    cid: record.cid,
    message: record.message,
    decision: record.decision,
    reason: record.reason,
    key_version: keyVersion,
  };
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

const MAX_CALLER = 256;

/** PostgreSQL's text takes no NUL and no half of a pair, a log line no control characters; a token may carry any. */
function printable(text: string): string {
  return text.slice(0, MAX_CALLER).replace(/[\u0000-\u001f\u007f\p{Surrogate}]/gu, '?');
}
