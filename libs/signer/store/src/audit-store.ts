import type { Database } from '@tetrad/db';
import type pg from 'pg';
import type { AuditEnd, AuditHead, ChainedAuditRecord } from './audit-rows.js';
import { appendAudit } from './hot/append-audit.js';
import { flushAudit } from './hot/flush-audit.js';
import { isAuditEntry, lockAuditHead } from './hot/lock-audit-head.js';
import { readAuditEnd, readAuditRows } from './read-audit-log.js';
import type { SignerCalls } from './signer-client.js';

/** Rows of the audit log. */
export class AuditStore {
  /** The head as this replica left it, until it is found to have moved. */
  private known: AuditHead | undefined;

  private isHeadChecked = false;

  constructor(
    private readonly database: Database,
    private readonly client: SignerCalls,
  ) {}

  /**
   * Adds the rows that follow from the head; replicas take turns by its lock. All of them are stored, or none.
   * @param follow - the rows after the head, in order
   * @param options.later - the commit does not wait for the disk: a later one of this database that does is the first
   *   to be durable after it, never before
   */
  async append(
    follow: (head: AuditHead) => readonly ChainedAuditRecord[],
    { later = false }: { readonly later?: boolean } = {},
  ): Promise<readonly ChainedAuditRecord[]> {
    const { known } = this;
    this.known = undefined;
    if (known !== undefined) {
      // One statement suffices unless another replica has written: usually there is one replica, or one that is busy.
      const rows = follow(known);
      if (await appendAudit(this.database.pool, known, { rows, later })) return this.remember(rows);
    }
    return this.database
      .transaction(async (client) => {
        const head = await lockAuditHead(client);
        // Once per process: the database keeps other roles from moving the head, unless its owner disables that.
        if (!this.isHeadChecked) await assertHead(client, head);
        this.isHeadChecked = true;
        const rows = follow(head);
        if (!(await appendAudit(client, head, { rows, later })))
          throw new Error('the head of the audit log moved under its lock');
        return rows;
      })
      .then((rows) => this.remember(rows));
  }

  private remember(rows: readonly ChainedAuditRecord[]): readonly ChainedAuditRecord[] {
    this.known = rows.at(-1);
    return rows;
  }

  /** @throws as `end` */
  async head(): Promise<AuditHead> {
    return (await this.end()).head;
  }

  /** The end as it is on disk: a head that is kept elsewhere must not be lost with the memory of the database. */
  async end(): Promise<AuditEnd> {
    const end = await readAuditEnd(this.client);
    await flushAudit(this.database.pool);
    return end;
  }

  /** All rows in order, read page by page. */
  rows(): AsyncGenerator<ChainedAuditRecord> {
    return readAuditRows(this.client);
  }
}

/** @throws when the head matches no entry, so that it was tampered with and no entry may follow it */
async function assertHead(client: pg.ClientBase, head: AuditHead): Promise<void> {
  if (head.sequence === 0 && head.hash.every((byte) => byte === 0)) return;
  if (await isAuditEntry(client, head)) return;
  throw new Error('the head of the audit log is that of no entry: the row of audit_head was changed');
}
