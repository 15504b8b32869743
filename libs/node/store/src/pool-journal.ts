import type { Database } from '@tetrad/db';
import { hashFromBytes, hashToBytes, type Hash } from '@tetrad/types';
import { asBuffer } from './as-buffer.js';
import type { InstanceLock } from './instance-lock.js';
import type { PoolRow } from './ledger-rows.js';

interface Waiting {
  readonly row: PoolRow;
  readonly replaced: Hash | undefined;
  readonly done: () => void;
  readonly fail: (error: unknown) => void;
}

/** Bounds of one INSERT, in rows and bytes of transactions; what is over waits for the next. */
const MAX_GROUP_ROWS = 2_000;
const MAX_GROUP_BYTES = 4 * 1024 * 1024;

/**
 * Rows that make an accepted transaction survive a crash.
 *
 * Commits in groups: while one INSERT is under way the next rows gather, so that the price of a durable commit is
 * shared by everybody who waits for it.
 */
export class PoolJournal {
  private waiting: Waiting[] = [];
  private writing = false;

  constructor(
    private readonly database: Database,
    private readonly lock: InstanceLock,
  ) {}

  /**
   * Resolves when the row is durable and the one it replaces is gone, both at once.
   *
   * Fails: the database's error; the row may be there all the same when the connection broke during the commit
   */
  append(row: PoolRow, replaced?: Hash): Promise<void> {
    return new Promise((done, fail) => {
      this.waiting.push({ row, replaced, done, fail });
      if (!this.writing) void this.drain();
    });
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

  private async drain(): Promise<void> {
    this.writing = true;
    // One turn of the event loop lets requests that arrived together share the first commit too.
    await new Promise((turn) => setImmediate(turn));
    while (this.waiting.length > 0) {
      const group = this.takeGroup();
      try {
        await this.lock.hold();
        await this.write(group);
        for (const { done } of group) done();
      } catch (error) {
        for (const { fail } of group) fail(error);
      }
    }
    this.writing = false;
  }

  private takeGroup(): Waiting[] {
    let bytes = 0;
    let end = 0;
    for (const { row } of this.waiting) {
      bytes += row.raw.length;
      if (end === MAX_GROUP_ROWS || (end > 0 && bytes > MAX_GROUP_BYTES)) break;
      end += 1;
    }
    return this.waiting.splice(0, end);
  }

  /** One statement is one commit. A row that is replaced within its own group is not written at all. */
  private async write(group: readonly Waiting[]): Promise<void> {
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
