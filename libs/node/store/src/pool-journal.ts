import type { Database } from '@tetrad/db';
import { hashFromBytes, hashToBytes, type Hash } from '@tetrad/types';
import type { PoolRow } from './ledger-rows.js';

interface Waiting {
  readonly row: PoolRow;
  readonly done: () => void;
  readonly fail: (error: unknown) => void;
}

/** Most rows of one INSERT; further ones wait for the next. */
const MAX_GROUP = 2_000;

/**
 * Rows that make an accepted transaction survive a crash.
 *
 * Commits in groups: while one INSERT is under way the next rows gather, so that the price of a durable commit is
 * shared by everybody who waits for it.
 */
export class PoolJournal {
  private waiting: Waiting[] = [];
  private writing = false;

  constructor(private readonly database: Database) {}

  /** Resolves when the row is durable. Fails with the database's error, and then nothing was stored. */
  append(row: PoolRow): Promise<void> {
    return new Promise((done, fail) => {
      this.waiting.push({ row, done, fail });
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
    await this.database.pool.query('DELETE FROM pool_transaction WHERE hash = ANY($1::bytea[])', [
      hashes.map((hash) => Buffer.from(hashToBytes(hash))),
    ]);
  }

  private async drain(): Promise<void> {
    this.writing = true;
    // One turn of the event loop lets requests that arrived together share the first commit too.
    await new Promise((turn) => setImmediate(turn));
    while (this.waiting.length > 0) {
      const group = this.waiting.splice(0, MAX_GROUP);
      try {
        await this.insert(group.map(({ row }) => row));
        for (const { done } of group) done();
      } catch (error) {
        for (const { fail } of group) fail(error);
      }
    }
    this.writing = false;
  }

  private async insert(rows: readonly PoolRow[]): Promise<void> {
    await this.database.pool.query({
      name: 'journal-pool',
      text: `INSERT INTO pool_transaction (hash, raw) SELECT * FROM unnest($1::bytea[], $2::bytea[])
             ON CONFLICT (hash) DO NOTHING`,
      values: [
        rows.map(({ hash }) => Buffer.from(hashToBytes(hash))),
        rows.map(({ raw }) => Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)),
      ],
    });
  }
}
