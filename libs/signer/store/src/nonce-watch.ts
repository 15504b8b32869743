import type { Database } from '@tetrad/db';
import type { NonceTiming } from './nonce-rows.js';

/** Row updates by the replica that maintains a nonce sequence; see `NonceSequenceStore.claim`. */
export class NonceWatch {
  constructor(
    private readonly database: Database,
    private readonly options: { readonly replica: string; readonly timing: NonceTiming },
  ) {}

  /**
   * Takes over abandoned entries: reservations of dead replicas become free, entries they had signed become doubtful,
   * and all doubtful entries and accepted ones of dead replicas become this replica's.
   */
  async takeOver(sequenceId: number): Promise<void> {
    await this.inSequence(sequenceId, (query) =>
      query({
        name: 'take-over-nonces',
        text: `
          UPDATE nonce_entry
             SET owner = $2,
                 state = CASE state WHEN 'reserved' THEN 'free' WHEN 'signed' THEN 'doubtful' ELSE state END,
                 changed_at = CASE WHEN state IN ('reserved', 'signed') THEN now() ELSE changed_at END
           WHERE lane_id = $1
             AND (state = 'doubtful' AND owner <> $2
                  OR state IN ('reserved', 'signed')
                     AND changed_at < now() - make_interval(secs => $3::float8 / 1000)
                  OR state IN ('reserved', 'signed', 'accepted') AND owner <> $2
                     AND owner NOT IN (SELECT id FROM replica WHERE alive_until > now()))`,
        values: [sequenceId, this.options.replica, this.options.timing.stuckMs],
      }),
    );
  }

  /**
   * Removes rows of mined nonces, and advances the sequence.
   *
   * In: minedCount — transactions of the account in blocks; doubtful nonces stay until their transaction is known
   */
  async settle(sequenceId: number, minedCount: bigint): Promise<void> {
    const values = [sequenceId, minedCount.toString()];
    await this.inSequence(sequenceId, async (query) => {
      await query({
        name: 'settle-nonces',
        text: `DELETE FROM nonce_entry
                WHERE lane_id = $1 AND nonce < $2 AND state IN ('free', 'reserved', 'accepted')`,
        values,
      });
      await query({
        name: 'drop-old-given',
        text: `DELETE FROM nonce_entry
                WHERE lane_id = $1 AND given AND changed_at < now() - make_interval(secs => $2::float8 / 1000)`,
        values: [sequenceId, this.options.timing.givenTtlMs],
      });
      await query({
        name: 'settle-sequence',
        text: `UPDATE lane SET mined_count = $2, mined_at = now(), next_nonce = greatest(next_nonce, $2)
                WHERE id = $1 AND mined_count < $2`,
        values,
      });
    });
  }

  /**
   * Frees an unassigned nonce that the chain needs next, when transactions of ours wait behind it.
   *
   * Out: whether the nonce is free, and for how long, in milliseconds
   */
  async openGap(sequenceId: number, nonce: bigint): Promise<number | undefined> {
    const values = [sequenceId, nonce.toString()];
    let ageMs: number | undefined;
    await this.inSequence(sequenceId, async (query) => {
      await query({
        name: 'open-gap',
        text: `
          INSERT INTO nonce_entry (lane_id, nonce, state, owner)
          SELECT id, $2, 'free', $3 FROM lane
           WHERE id = $1 AND $2 >= mined_count AND $2 < next_nonce
             AND EXISTS (SELECT FROM nonce_entry
                          WHERE lane_id = $1 AND nonce > $2 AND NOT given AND state IN ('accepted', 'doubtful'))
          ON CONFLICT (lane_id, nonce) DO NOTHING`,
        values: [...values, this.options.replica],
      });
      const { rows } = await query<{ age_ms: number }>({
        name: 'find-gap',
        text: `SELECT extract(epoch FROM now() - changed_at)::float8 * 1000 AS age_ms FROM nonce_entry
                WHERE lane_id = $1 AND nonce = $2 AND state = 'free'
                  AND EXISTS (SELECT FROM nonce_entry
                               WHERE lane_id = $1 AND nonce > $2 AND NOT given AND state IN ('accepted', 'doubtful'))`,
        values,
      });
      ageMs = rows[0]?.age_ms;
    });
    return ageMs;
  }

  private inSequence(sequenceId: number, work: (query: Query) => Promise<unknown>): Promise<void> {
    return this.database.transaction(async (client) => {
      const lock = 'SELECT FROM lane WHERE id = $1 FOR UPDATE';
      await client.query({ name: 'lock-sequence', text: lock, values: [sequenceId] });
      await work((statement) => client.query(statement));
    });
  }
}

type Query = <Row extends object = never>(statement: {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}) => Promise<{ rows: Row[] }>;
