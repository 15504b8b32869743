import type { Database } from '@tetrad/db';
import { insertAuditRecords, type AuditEntry } from './insert-audit.js';
import type { AuditRecord } from './wallet-rows.js';

interface Waiting extends AuditEntry {
  readonly done: (written: boolean) => void;
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

  /** Resolves when the record is durable. Fails: the database's error */
  async append(record: AuditRecord): Promise<void> {
    await this.enqueue({ record });
  }

  /**
   * Records the use of a key, if it is still the key of the wallet: the statement that writes the record looks at the
   * key's row. Only when this says true may leave what the key was used for.
   *
   * In:    version — of the row that was used
   * Out:   false, and nothing is recorded, when the row was changed or deleted
   * Fails: the database's error
   */
  appendUse(record: AuditRecord, version: number): Promise<boolean> {
    return this.enqueue({ record, keyVersion: version });
  }

  private enqueue(entry: AuditEntry): Promise<boolean> {
    return new Promise((done, fail) => {
      this.waiting.push({ ...entry, done, fail });
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
        const left = await insertAuditRecords(this.database.pool, group);
        for (const [position, { done }] of group.entries()) done(!left.has(position));
      } catch (error) {
        for (const { fail } of group) fail(error);
      }
    }
    this.writing = false;
  }
}
