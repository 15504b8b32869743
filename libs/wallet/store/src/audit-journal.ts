import type { Database } from '@tetrad/db';
import type { PoolClient } from 'pg';
import { asBuffer, asBufferOrNull } from './as-buffer.js';
import type { AuditRecord } from './wallet-rows.js';

interface Waiting {
  readonly record: AuditRecord;
  readonly done: () => void;
  readonly fail: (error: unknown) => void;
}

/** Rows of one INSERT; what is over waits for the next. */
const MAX_GROUP_ROWS = 1_000;

/**
 * The append-only log of what keys were used for.
 *
 * Commits in groups: while one INSERT is under way the next records gather, so that the price of a durable commit is
 * shared by everybody who waits for it.
 */
export class AuditJournal {
  private waiting: Waiting[] = [];
  private writing = false;

  constructor(private readonly database: Database) {}

  /** Resolves when the record is durable; only then may a signature leave. Fails: the database's error */
  append(record: AuditRecord): Promise<void> {
    return new Promise((done, fail) => {
      this.waiting.push({ record, done, fail });
      if (!this.writing) void this.drain();
    });
  }

  private async drain(): Promise<void> {
    this.writing = true;
    // One turn of the event loop lets requests that arrived together share the first commit too.
    await new Promise((turn) => setImmediate(turn));
    while (this.waiting.length > 0) {
      const group = this.waiting.splice(0, MAX_GROUP_ROWS);
      try {
        const records = group.map(({ record }) => record);
        await insertAuditRecords(this.database.pool, records);
        for (const { done } of group) done();
      } catch (error) {
        for (const { fail } of group) fail(error);
      }
    }
    this.writing = false;
  }
}

/** Adds the records in one statement, alone or as a part of a transaction. */
export async function insertAuditRecords(
  to: Pick<PoolClient, 'query'> | Database['pool'],
  records: readonly AuditRecord[],
): Promise<void> {
  const column = <Value>(read: (record: AuditRecord) => Value) => records.map(read);
  await to.query({
    name: 'append-audit',
    text: `INSERT INTO audit_record
             (caller, request_id, address, action, content, digest, cid, message, decision, reason)
           SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[], $4::text[], $5::text[], $6::bytea[],
             $7::text[], $8::jsonb[], $9::text[], $10::text[])`,
    values: [
      column(({ caller }) => printable(caller)),
      column(({ requestId }) => requestId),
      column(({ address }) => asBuffer(address)),
      column(({ action }) => action),
      column(({ content }) => content ?? null),
      column(({ digest }) => asBufferOrNull(digest)),
      column(({ cid }) => cid ?? null),
      column(({ message }) => message ?? null),
      column(({ decision }) => decision),
      column(({ reason }) => reason ?? null),
    ],
  });
}

const MAX_CALLER = 256;

/** PostgreSQL's text takes no NUL, and a log line no control characters; a token may carry any. */
function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]/g, '?').slice(0, MAX_CALLER);
}
