import { keccak256 } from '@tetrad/crypto';
import { LookupGroup, type Database } from '@tetrad/db';
import { findHashed, type HashedRow } from './hot/find-hashed.js';
import { LedgerStoreError } from './ledger-store-error.js';
import type { HashedTable } from './state-tables.js';

const MAX_STATEMENTS = 4;

/** Finds rows by hash; concurrent look-ups become one statement. */
export class BatchedLookup {
  private readonly rows: LookupGroup<HashedRow>;

  /** @param more - a second table that has some of the rows; undefined while it is unused */
  constructor(
    database: Database,
    private readonly table: HashedTable,
    more: () => HashedTable | undefined = () => undefined,
  ) {
    this.rows = new LookupGroup({
      statements: MAX_STATEMENTS,
      // Without delay: execution waits for one look-up before it makes the next.
      start: queueMicrotask,
      read: (hashes) => {
        const second = more();
        return findHashed(database, second === undefined ? [table] : [table, second], hashes);
      },
      keyOf: ({ hash }) => hash,
    });
  }

  /**
   * The content under the hash; undefined when it is not stored.
   * @throws LedgerStoreError when the row does not match its hash: the database is damaged
   */
  async find(hash: Uint8Array): Promise<Uint8Array | undefined> {
    const row = await this.rows.find(hash);
    if (row === undefined || Buffer.compare(keccak256(row.bytes), hash) === 0) return row?.bytes;
    throw new LedgerStoreError(`${this.table.name} ${Buffer.from(hash).toString('hex')} is damaged`);
  }
}
