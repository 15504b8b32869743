import { CommitGroup, asBuffer, type Database } from '@tetrad/db';
import { hashFromBytes, hashToBytes, type Hash } from '@tetrad/types';
import type { InstanceLock } from './instance-lock.js';
import type { PoolRow } from './ledger-rows.js';

interface Entry {
  readonly row: PoolRow;
  readonly replaced: Hash | undefined;
}

/** Bounds of one INSERT, in rows and bytes of transactions; what is over waits for the next. */
const MAX_GROUP_ROWS = 2_000;
const MAX_GROUP_BYTES = 4 * 1024 * 1024;

/** Rows that make an accepted transaction survive a crash; those that come together are committed together. */
export class PoolJournal {
  private readonly entries: CommitGroup<Entry, void>;

  constructor(
    private readonly database: Database,
    private readonly lock: InstanceLock,
  ) {
    this.entries = new CommitGroup(
      async (group) => {
        await lock.hold();
        await this.write(group);
        return group.map(() => undefined);
      },
      {
        group: MAX_GROUP_ROWS,
        // The pool bounds what it takes.
        waiting: Number.POSITIVE_INFINITY,
        bytes: { of: ({ row }) => row.raw.length, group: MAX_GROUP_BYTES },
      },
    );
  }

  /**
   * Resolves when the row is durable and the one it replaces is gone, both at once.
   *
   * Fails: the database's error; the row may be there all the same when the connection broke during the commit
   */
  append(row: PoolRow, replaced?: Hash): Promise<void> {
    return this.entries.add({ row, replaced });
  }

  /** All rows in the order of acceptance. */
  async load(): Promise<PoolRow[]> {
    const { rows } = await this.database.pool.query<{ hash: Buffer; raw: Buffer }>(
      'SELECT hash, raw FROM pool_transaction ORDER BY sequence',
    );
    return rows.map(({ hash, raw }) => ({ hash: hashFromBytes(hash), raw }));
  }

  async remove(hashes: readonly Hash[]): Promise<void> {
    if (hashes.length === 0) return;
    await this.lock.hold();
    await this.database.pool.query({
      name: 'leave-pool',
      text: 'DELETE FROM pool_transaction WHERE hash = ANY($1::bytea[])',
      values: [hashes.map((hash) => asBuffer(hashToBytes(hash)))],
    });
  }

  /** One statement is one commit. A row that is replaced within its own group is not written at all. */
  private async write(group: readonly Entry[]): Promise<void> {
    const replaced = new Set(group.flatMap((one) => (one.replaced === undefined ? [] : [one.replaced])));
    const rows = group.map(({ row }) => row).filter(({ hash }) => !replaced.has(hash));
    await this.database.pool.query({
      name: 'journal-pool',
      text: `WITH gone AS (DELETE FROM pool_transaction WHERE hash = ANY($3::bytea[]))
             INSERT INTO pool_transaction (hash, raw) SELECT * FROM unnest($1::bytea[], $2::bytea[])
             ON CONFLICT (hash) DO NOTHING`,
      values: [
        rows.map(({ hash }) => asBuffer(hashToBytes(hash))),
        rows.map(({ raw }) => asBuffer(raw)),
        [...replaced].map((hash) => asBuffer(hashToBytes(hash))),
      ],
    });
  }
}
