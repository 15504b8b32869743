import { asBufferOrNull, type Database } from '@tetrad/db';
import type { AuditAction, StoredAuditRecord } from './wallet-rows.js';

/** Which records of the log. */
export interface AuditQuery {
  /** Only records of this address. */
  readonly address?: Uint8Array | undefined;
  /** Only records behind this one. */
  readonly after?: number | undefined;
  readonly limit: number;
}

interface Row {
  readonly sequence: number;
  readonly at: Date;
  readonly caller: string;
  readonly request_id: string;
  readonly address: Buffer;
  readonly action: AuditAction;
  readonly content: string | null;
  readonly digest: Buffer | null;
  readonly cid: string | null;
  readonly message: string | null;
  readonly decision: 'done' | 'refused';
  readonly reason: string | null;
}

/** Records in the order of the log. The message stays text: its 64-bit integers would not survive as numbers. */
export async function listAuditRecords(database: Database, query: AuditQuery): Promise<StoredAuditRecord[]> {
  const { rows } = await database.pool.query<Row>(
    `SELECT sequence, at, caller, request_id, address, action, content, digest, cid, message::text AS message,
            decision, reason
       FROM audit_record
      WHERE sequence > $1 AND ($2::bytea IS NULL OR address = $2)
      ORDER BY sequence LIMIT $3`,
    [query.after ?? 0, asBufferOrNull(query.address), query.limit],
  );
  return rows.map((row) => ({
    sequence: row.sequence,
    at: row.at,
    caller: row.caller,
    requestId: row.request_id,
    address: row.address,
    action: row.action,
    content: row.content ?? undefined,
    digest: row.digest ?? undefined,
    cid: row.cid ?? undefined,
    message: row.message ?? undefined,
    decision: row.decision,
    reason: row.reason ?? undefined,
  }));
}
