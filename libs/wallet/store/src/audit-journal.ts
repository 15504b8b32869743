import { CommitGroup, type Database } from '@tetrad/db';
import { insertAuditRecords, type AuditEntry } from './hot/insert-audit.js';
import type { AuditRecord } from './wallet-rows.js';

/** The append-only log of key use; concurrent records are committed together. */
export class AuditJournal {
  private readonly entries: CommitGroup<AuditEntry, boolean>;

  constructor(database: Database) {
    this.entries = new CommitGroup(async (group) => {
      const left = await insertAuditRecords(database.pool, group);
      return group.map((_, position) => !left.has(position));
    });
  }

  /**
   * Resolves when the record is durable.
   * @throws the database's error
   */
  async append(record: AuditRecord): Promise<void> {
    await this.entries.add({ record });
  }

  /**
   * Records the use of a key, if it is still the key of the wallet: the statement that writes the record looks at the
   * key's row. Only when this says true may leave what the key was used for.
   * @param version - of the row that was used
   * @returns false, and nothing is recorded, when the row was changed or deleted
   * @throws the database's error
   */
  appendUse(record: AuditRecord, version: number): Promise<boolean> {
    return this.entries.add({ record, keyVersion: version });
  }
}
