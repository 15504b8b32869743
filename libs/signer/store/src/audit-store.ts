import type { Database } from '@tetrad/db';
import type pg from 'pg';
import { asBuffer } from './as-buffer.js';
import type { PrismaClient } from './generated/client.js';

/** A decision as it is written down; texts as they are hashed. */
export interface AuditRecord {
  /** Milliseconds since the epoch. */
  readonly timeMs: number;
  readonly caller: string;
  readonly key: string;
  readonly method: string;
  /** What was or would have been signed. */
  readonly digest?: Uint8Array | undefined;
  /** JSON of the decoded transaction. */
  readonly transaction?: string | undefined;
  readonly decision: string;
  readonly reason: string;
}

/** The newest entry, or what the first one follows: sequence 0 and 32 zero bytes. */
export interface AuditHead {
  readonly sequence: number;
  /** 32 bytes. */
  readonly hash: Uint8Array;
}

export interface AuditRow extends AuditRecord {
  /** From 1, without a gap. */
  readonly sequence: number;
  readonly previousHash: Uint8Array;
  readonly hash: Uint8Array;
}

/** Rows read at a time. */
const PAGE = 1_000;

/** Rows of the audit log. */
export class AuditStore {
  constructor(
    private readonly database: Database,
    private readonly prisma: PrismaClient,
  ) {}

  /**
   * Adds the rows that follow from the head; replicas take turns by its lock. All of them are stored, or none.
   *
   * In: follow — the rows after the head, in order
   */
  async append(follow: (head: AuditHead) => readonly AuditRow[]): Promise<readonly AuditRow[]> {
    return this.database.transaction(async (client) => {
      const rows = follow(await lockHead(client));
      await insertRows(client, rows);
      const last = rows.at(-1);
      if (last !== undefined) {
        await client.query({
          name: 'move-audit-head',
          text: 'UPDATE audit_head SET sequence = $1, hash = $2 WHERE id = 1',
          values: [last.sequence, asBuffer(last.hash)],
        });
      }
      return rows;
    });
  }

  async head(): Promise<AuditHead> {
    const head = await this.prisma.auditHead.findUniqueOrThrow({ where: { id: 1 } });
    return { sequence: Number(head.sequence), hash: head.hash };
  }

  /** All rows in order, read page by page. */
  async *rows(): AsyncGenerator<AuditRow> {
    let last = -1n;
    for (;;) {
      const page = await this.prisma.auditEntry.findMany({
        where: { sequence: { gt: last } },
        orderBy: { sequence: 'asc' },
        take: PAGE,
      });
      for (const { sequence, timeMs, digest, transaction, ...row } of page) {
        yield {
          ...row,
          sequence: Number(sequence),
          timeMs: Number(timeMs),
          digest: digest ?? undefined,
          transaction: transaction ?? undefined,
        };
      }
      if (page.length < PAGE) return;
      last = page.at(-1)?.sequence ?? last;
    }
  }
}

async function lockHead(client: pg.ClientBase): Promise<AuditHead> {
  const { rows } = await client.query<{ sequence: number; hash: Buffer }>({
    name: 'lock-audit-head',
    text: 'SELECT sequence, hash FROM audit_head WHERE id = 1 FOR UPDATE',
  });
  const [head] = rows;
  if (head === undefined) throw new Error('the audit log has no head: the row of audit_head is gone');
  return head;
}

async function insertRows(client: pg.ClientBase, rows: readonly AuditRow[]): Promise<void> {
  await client.query({
    name: 'append-audit-entries',
    text: `INSERT INTO audit_entry (sequence, time_ms, caller, key, method, digest, transaction, decision, reason,
                                    previous_hash, hash)
           SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bytea[],
                                $7::text[], $8::text[], $9::text[], $10::bytea[], $11::bytea[])`,
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
    ],
  });
}
