import { randomBytes } from 'node:crypto';
import type { Database } from '@tetrad/db';
import type { PayloadPosition } from '../completeness/payload-mark.js';

/** How a manager came to hold all that was ever stored for its keys; `unchecked` is one of which that is not known yet. */
export type StoredCompleteness = 'unchecked' | 'new' | 'recovered' | 'declared' | 'imported' | 'upgraded';

const EPOCH_BYTES = 16;

/** The row that says whether all payloads are here. A backup has none, so that what is restored from it is in doubt. */
export class CompletenessStore {
  constructor(private readonly database: Database) {}

  /**
   * What is stored; for a database that has never been used that nothing is known yet, which is stored then.
   *
   * Out: undefined where payloads are there and the row is not: they come from a backup, or from an import that left some out
   */
  async open(): Promise<StoredCompleteness | undefined> {
    await this.database.pool.query(
      `INSERT INTO completeness (id, epoch, state) SELECT 1, $1, 'unchecked'
        WHERE NOT EXISTS (SELECT FROM payload) AND NOT EXISTS (SELECT FROM staged_payload)
       ON CONFLICT (id) DO NOTHING`,
      [randomBytes(EPOCH_BYTES)],
    );
    return this.find();
  }

  async find(): Promise<StoredCompleteness | undefined> {
    const { rows } = await this.database.pool.query<{ state: StoredCompleteness }>(
      'SELECT state FROM completeness WHERE id = 1',
    );
    return rows[0]?.state;
  }

  /** How far the rows have come; undefined without a state. */
  async position(): Promise<PayloadPosition | undefined> {
    const { rows } = await this.database.pool.query<{
      epoch: Buffer;
      since: Date;
      sequence: number | string;
    }>({
      name: 'payload-position',
      // One more than the last one, as the sequence of an empty table has a last value too.
      text: `SELECT epoch, since, (SELECT last_value + is_called::int FROM payload_sequence_seq) AS sequence
               FROM completeness`,
    });
    const [row] = rows;
    return row && { epoch: row.epoch, sinceMs: row.since.getTime(), sequence: Number(row.sequence) };
  }

  /** Records that rows of later are missing. */
  async forget(): Promise<void> {
    await this.database.pool.query('DELETE FROM completeness');
  }

  /** Begins an epoch, after all that were noted. */
  async set(state: StoredCompleteness): Promise<void> {
    await this.database.pool.query(
      `INSERT INTO completeness (id, epoch, state, since)
       VALUES (1, $1, $2, greatest(now(), (SELECT max(since) + interval '1 millisecond' FROM latest_epoch)))
       ON CONFLICT (id) DO UPDATE SET epoch = EXCLUDED.epoch, state = EXCLUDED.state, since = EXCLUDED.since`,
      [randomBytes(EPOCH_BYTES), state],
    );
  }

  /** In: sinceMs — since when an earlier epoch counted, by a clock that may have been ahead. Units: ms since the epoch */
  async noteEpoch(sinceMs: number): Promise<void> {
    await this.database.pool.query(
      `INSERT INTO latest_epoch (id, since) VALUES (1, $1)
       ON CONFLICT (id) DO UPDATE SET since = greatest(latest_epoch.since, EXCLUDED.since)`,
      [new Date(sinceMs)],
    );
  }

  /** Records that payloads of before are missing, in a database that counted as that of a new manager. */
  async reopen(): Promise<void> {
    await this.database.pool.query(`DELETE FROM completeness WHERE state IN ('unchecked', 'new')`);
  }
}
