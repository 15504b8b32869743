import { asBuffer, type Database } from '@tetrad/db';
import type pg from 'pg';
import type { AuditEnd, AuditHead, AuditRow } from './audit-rows.js';
import { readAuditEnd, readAuditRows } from './read-audit-log.js';
import { COMMIT_LATER } from './reserve-nonces.js';

/** Rows of the audit log. */
export class AuditStore {
  /** The head as this replica left it, until it is found to have moved. */
  private known: AuditHead | undefined;

  private isHeadChecked = false;

  constructor(private readonly database: Database) {}

  /**
   * Adds the rows that follow from the head; replicas take turns by its lock. All of them are stored, or none.
   *
   * In: follow — the rows after the head, in order; later — the commit does not wait for the disk: a later one of this
   *     database that does is the first to be durable after it, never before
   */
  async append(
    follow: (head: AuditHead) => readonly AuditRow[],
    { later = false }: { readonly later?: boolean } = {},
  ): Promise<readonly AuditRow[]> {
    const { known } = this;
    this.known = undefined;
    if (known !== undefined) {
      // One statement suffices unless another replica has written: usually there is one replica, or one that is busy.
      const rows = follow(known);
      if (await appendAfter(this.database.pool, known, { rows, later })) return this.remember(rows);
    }
    return this.database
      .transaction(async (client) => {
        const head = await lockHead(client);
        // Once per process: the database keeps other roles from moving the head, unless its owner disables that.
        if (!this.isHeadChecked) await assertHead(client, head);
        this.isHeadChecked = true;
        const rows = follow(head);
        if (!(await appendAfter(client, head, { rows, later })))
          throw new Error('the head of the audit log moved under its lock');
        return rows;
      })
      .then((rows) => this.remember(rows));
  }

  private remember(rows: readonly AuditRow[]): readonly AuditRow[] {
    this.known = rows.at(-1);
    return rows;
  }

  /** Fails: as `end` */
  async head(): Promise<AuditHead> {
    return (await this.end()).head;
  }

  /** The end as it is on disk: a head that is kept elsewhere must not be lost with the memory of the database. */
  async end(): Promise<AuditEnd> {
    const end = await readAuditEnd(this.database.pool);
    await this.database.pool.query({ name: 'flush-audit-log', text: FLUSH });
    return end;
  }

  /** All rows in order, read page by page. */
  rows(): AsyncGenerator<AuditRow> {
    return readAuditRows(this.database.pool);
  }
}

/** A commit that waits for the disk, and for every commit before it; the message says nothing. */
const FLUSH = `SELECT pg_logical_emit_message(true, 'tetrad', '')`;

async function lockHead(client: pg.ClientBase): Promise<AuditHead> {
  const { rows } = await client.query<{ sequence: number; hash: Buffer }>({
    name: 'lock-audit-head',
    text: 'SELECT sequence, hash FROM audit_head WHERE id = 1 FOR UPDATE',
  });
  const [head] = rows;
  if (head === undefined) throw new Error('the audit log has no head: the row of audit_head is gone');
  return head;
}

/** Fails: when the head matches no entry, so that it was tampered with and no entry may follow it */
async function assertHead(client: pg.ClientBase, { sequence, hash }: AuditHead): Promise<void> {
  if (sequence === 0 && hash.every((byte) => byte === 0)) return;
  const { rowCount } = await client.query({
    name: 'find-audit-head',
    text: 'SELECT 1 FROM audit_entry WHERE sequence = $1 AND hash = $2',
    values: [sequence, asBuffer(hash)],
  });
  if (rowCount === 1) return;
  throw new Error('the head of the audit log is that of no entry: the row of audit_head was changed');
}

/**
 * Stores the rows and moves the head, or does nothing when the head is another one. Out: whether it did
 *
 * A setting of the own transaction is that of all of it, when the statement is part of one.
 */
async function appendAfter(
  client: Pick<pg.ClientBase | pg.Pool, 'query'>,
  head: AuditHead,
  { rows, later }: { readonly rows: readonly AuditRow[]; readonly later: boolean },
): Promise<boolean> {
  const last = rows.at(-1);
  if (last === undefined) return true;
  const { rowCount } = await client.query({
    name: 'append-audit-entries',
    text: `WITH ${COMMIT_LATER('$16')},
           moved AS (
             UPDATE audit_head SET sequence = $12, hash = $13 FROM commit_later
             WHERE id = 1 AND sequence = $14 AND hash = $15 RETURNING id)
           INSERT INTO audit_entry (sequence, time_ms, caller, key, method, digest, transaction, decision, reason,
                                    previous_hash, hash)
           SELECT entry.* FROM moved, unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bytea[],
                                $7::text[], $8::text[], $9::text[], $10::bytea[], $11::bytea[]) AS entry`,
    values: [
      rows.map((row) => row.sequence),
      rows.map((row) => row.timeMs),
      rows.map((row) => row.caller),
      rows.map((row) => row.key),
      rows.map((row) => row.method),
      rows.map((row) => (row.digest === undefined ? null : asBuffer(row.digest))),
      rows.map((row) => row.transaction ?? null),
      rows.map((row) => row.decision),
      rows.map((row) => row.reason),
      rows.map((row) => asBuffer(row.previousHash)),
      rows.map((row) => asBuffer(row.hash)),
      ...[last.sequence, asBuffer(last.hash), head.sequence, asBuffer(head.hash), later],
    ],
  });
  return rowCount === rows.length;
}
