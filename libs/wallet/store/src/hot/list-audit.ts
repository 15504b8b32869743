import { asBufferOrNull, type Database } from '@tetrad/db';
import { columnsOf, type SqlRow } from '@tetrad/db/client';
import { auditRecord } from '../generated/tables.js';
import type { AuditAction, StoredAuditRecord } from '../wallet-rows.js';

/** Which records of the log. */
export interface AuditQuery {
  /** Only records of this address. */
  readonly address?: Uint8Array | undefined;
  /** Only records behind this one. */
  readonly after?: number | undefined;
  readonly limit: number;
}

const FIELDS = [
  'sequence',
  'at',
  'caller',
  'requestId',
  'address',
  'action',
  'content',
  'digest',
  'cid',
  'decision',
  'reason',
] as const;
type Row = SqlRow<typeof auditRecord, (typeof FIELDS)[number]> & { readonly message: string | null };

const { sequence, address, message } = auditRecord.columns;
const LIST = `
  SELECT ${columnsOf(auditRecord, FIELDS)}, ${message}::text AS message
    FROM ${auditRecord.table}
   WHERE ${sequence} > $1 AND ($2::bytea IS NULL OR ${address} = $2)
   ORDER BY ${sequence} LIMIT $3`;

/**
 * Records in the order of the log. By a statement, since Prisma's client reads the message into JavaScript numbers, in which
 * 64-bit integers do not survive; here it stays text.
 */
export async function listAuditRecords(database: Database, query: AuditQuery): Promise<StoredAuditRecord[]> {
  const values = [query.after ?? 0, asBufferOrNull(query.address), query.limit];
  const { rows } = await database.pool.query<Row>(LIST, values);
  return rows.map(({ action, decision, content, digest, cid, message: text, reason, ...row }) => ({
    ...row,
    action: action as AuditAction,
    decision: decision as 'done' | 'refused',
    content: content ?? undefined,
    digest: digest ?? undefined,
    cid: cid ?? undefined,
    message: text ?? undefined,
    reason: reason ?? undefined,
  }));
}
