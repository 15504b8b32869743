import { asBuffer, asBufferOrNull } from '@tetrad/db';
import { COMMIT_LATER, namesOf } from '@tetrad/db/client';
import type { AuditHead, ChainedAuditRecord } from '../audit-rows.js';
import { auditEntry, auditHead } from '../generated/tables.js';
import type { Statements } from '../statements.js';

const FIELDS = [
  'sequence',
  'timeMs',
  'caller',
  'key',
  'method',
  'digest',
  'transaction',
  'decision',
  'reason',
  'previousHash',
  'hash',
] as const;

const head = auditHead.columns;
const APPEND = `
  WITH ${COMMIT_LATER('$16')},
  moved AS (
    UPDATE ${auditHead.table} SET ${head.sequence} = $12, ${head.hash} = $13 FROM commit_later
    WHERE ${head.id} = 1 AND ${head.sequence} = $14 AND ${head.hash} = $15 RETURNING ${head.id})
  INSERT INTO ${auditEntry.table} (${namesOf(auditEntry, FIELDS)})
  SELECT entry.* FROM moved, unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bytea[],
                       $7::text[], $8::text[], $9::text[], $10::bytea[], $11::bytea[]) AS entry`;

/**
 * Stores the rows and moves the head, or does nothing when the head is another one.
 *
 * A setting of the own transaction is that of all of it, when the statement is part of one.
 *
 * @returns whether it did
 */
export async function appendAudit(
  to: Statements,
  after: AuditHead,
  { rows, later }: { readonly rows: readonly ChainedAuditRecord[]; readonly later: boolean },
): Promise<boolean> {
  const last = rows.at(-1);
  if (last === undefined) return true;
  const { rowCount } = await to.query({
    name: 'append-audit-entries',
    text: APPEND,
    values: [
      rows.map((row) => row.sequence),
      rows.map((row) => row.timeMs),
      rows.map((row) => row.caller),
      rows.map((row) => row.key),
      rows.map((row) => row.method),
      rows.map((row) => asBufferOrNull(row.digest)),
      rows.map((row) => row.transaction ?? null),
      rows.map((row) => row.decision),
      rows.map((row) => row.reason),
      rows.map((row) => asBuffer(row.previousHash)),
      rows.map((row) => asBuffer(row.hash)),
      last.sequence,
      asBuffer(last.hash),
      after.sequence,
      asBuffer(after.hash),
      later,
    ],
  });
  return rowCount === rows.length;
}
