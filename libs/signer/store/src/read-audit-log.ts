import type { Database } from '@tetrad/db';
import type { AuditEnd, AuditRow } from './audit-rows.js';

type Statements = Pick<Database['pool'], 'query'>;

/** Rows read at a time. */
const PAGE = 1_000;

interface RawEnd {
  readonly sequence: number;
  readonly hash: Buffer;
  readonly newest_sequence: number | null;
  readonly newest_hash: Buffer | null;
}

/** Head and newest entry as they were at one moment: entries may be added meanwhile. Fails: Error without a head */
export async function readAuditEnd(from: Statements): Promise<AuditEnd> {
  const { rows } = await from.query<RawEnd>({
    name: 'audit-end',
    text: `SELECT head.sequence, head.hash, newest.sequence AS newest_sequence, newest.hash AS newest_hash
             FROM audit_head AS head
             LEFT JOIN LATERAL (SELECT sequence, hash FROM audit_entry WHERE sequence >= 0
                                 ORDER BY sequence DESC LIMIT 1) AS newest ON true
            WHERE head.id = 1`,
  });
  const [end] = rows;
  if (end === undefined) throw new Error('the audit log has no head: the row of audit_head is gone');
  const { sequence, hash, newest_sequence: newest, newest_hash: newestHash } = end;
  return {
    head: { sequence, hash },
    newest: newest === null || newestHash === null ? undefined : { sequence: newest, hash: newestHash },
  };
}

interface RawRow extends Omit<AuditRow, 'digest' | 'transaction'> {
  readonly digest: Buffer | null;
  readonly transaction: string | null;
}

/** All entries in order, read page by page. */
export async function* readAuditRows(from: Statements): AsyncGenerator<AuditRow> {
  for (let last = -1; ;) {
    const { rows } = await from.query<RawRow>({
      name: 'audit-page',
      text: `SELECT sequence, time_ms AS "timeMs", caller, key, method, digest, transaction, decision, reason,
                    previous_hash AS "previousHash", hash
               FROM audit_entry WHERE sequence > $1 ORDER BY sequence LIMIT $2`,
      values: [last, PAGE],
    });
    for (const { digest, transaction, ...row } of rows)
      yield { ...row, digest: digest ?? undefined, transaction: transaction ?? undefined };
    if (rows.length < PAGE) return;
    last = rows.at(-1)?.sequence ?? last;
  }
}
