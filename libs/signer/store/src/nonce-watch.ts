import type { Database } from '@tetrad/db';
import { putBackSettled, type Query } from './adopt-counts.js';
import { findGap, openGap, type Gap } from './nonce-gaps.js';
import type { NonceName, NonceTiming } from './nonce-rows.js';

/** Settled nonces of a sequence that are kept: a client that counts fewer than these were mined has lost more than a few blocks. */
const KEPT_SETTLED = 256;

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
   * Moves mined nonces to the settled ones and advances the sequence. Settled ones that are not mined any more get their
   * rows back: the client was restored, or its chain reorganized.
   *
   * In: minedCount — transactions of the account in blocks; doubtful nonces stay until their transaction is known
   */
  async settle(sequenceId: number, minedCount: bigint): Promise<void> {
    const values = [sequenceId, minedCount.toString()];
    await this.inSequence(sequenceId, async (query) => {
      await this.putBack(query, { sequenceId, nonce: minedCount });
      const settled = await query({
        name: 'settle-nonces',
        text: `DELETE FROM nonce_entry
                WHERE lane_id = $1 AND nonce < $2 AND state IN ('free', 'reserved', 'accepted')`,
        values,
      });
      if ((settled.rowCount ?? 0) > 0) await this.prune(sequenceId, query);
      await this.dropOldGiven(sequenceId, { minedCount, query });
      await query({
        name: 'settle-sequence',
        text: `UPDATE nonce_sequence SET mined_at = now(), next_nonce = greatest(next_nonce, $2),
                      mined_count = CASE WHEN privacy_group = '' THEN $2 ELSE greatest(mined_count, $2) END
                WHERE id = $1 AND (mined_count < $2 OR mined_count > $2 AND privacy_group = '')`,
        values,
      });
    });
  }

  /**
   * Frees nonces that no transaction has and that the chain needs before it can mine ours behind them.
   *
   * In:  nonce — that the chain needs next
   * Out: undefined without such a gap
   */
  async openGap(sequenceId: number, nonce: bigint): Promise<Gap | undefined> {
    let gap: Gap | undefined;
    await this.inSequence(sequenceId, async (query) => {
      await this.putBack(query, { sequenceId, nonce });
      const found = await findGap(query, { sequenceId, nonce });
      gap = found && (await openGap(query, { sequenceId, nonce, owner: this.options.replica, ...found }));
    });
    return gap;
  }

  /**
   * Has the sequence assign the nonces of a wide gap, lowest first. Transactions behind it keep their nonces, and are mined
   * when the sequence reaches them.
   *
   * In:  nonce — that the chain needs next
   * Out: false when the gap is closed, or no longer a wide one
   */
  async leadBack(sequenceId: number, nonce: bigint): Promise<boolean> {
    let isLedBack = false;
    const values = [sequenceId, nonce.toString()];
    await this.inSequence(sequenceId, async (query) => {
      await this.putBack(query, { sequenceId, nonce });
      const found = await findGap(query, { sequenceId, nonce });
      if (found?.isWide !== true) return;
      await query({
        name: 'lead-back',
        text: 'UPDATE nonce_sequence SET next_nonce = $2, mined_count = least(mined_count, $2) WHERE id = $1',
        values,
      });
      const text = 'DELETE FROM nonce_entry WHERE lane_id = $1 AND is_free AND nonce >= $2';
      await query({ name: 'drop-free-above', text, values });
      isLedBack = true;
    });
    return isLedBack;
  }

  /** A nonce may have been settled, or lost, since the client was asked: what has bytes is no gap. */
  private putBack(query: Query, { sequenceId, nonce }: NonceName): Promise<void> {
    return putBackSettled(query, [[sequenceId], [nonce.toString()]], this.options.replica);
  }

  /** Keeps the newest settled nonces; the floor rises to what is still known. */
  private async prune(sequenceId: number, query: Query): Promise<void> {
    await query({
      name: 'prune-settled',
      text: `
        WITH oldest AS MATERIALIZED (
          SELECT nonce FROM settled_nonce WHERE lane_id = $1 ORDER BY nonce DESC OFFSET $2 LIMIT 1),
        pruned AS (
          DELETE FROM settled_nonce USING oldest
           WHERE lane_id = $1 AND settled_nonce.nonce <= oldest.nonce)
        UPDATE nonce_sequence SET known_from = greatest(known_from, oldest.nonce + 1) FROM oldest WHERE id = $1`,
      values: [sequenceId, KEPT_SETTLED],
    });
  }

  /** Forgets nonces that callers chose long ago and that were not mined. */
  private async dropOldGiven(
    sequenceId: number,
    { minedCount, query }: { readonly minedCount: bigint; readonly query: Query },
  ): Promise<void> {
    await query({
      name: 'drop-old-given',
      text: `DELETE FROM nonce_entry
              WHERE lane_id = $1 AND given AND changed_at < now() - make_interval(secs => $2::float8 / 1000)`,
      values: [sequenceId, this.options.timing.givenTtlMs],
    });
    await query({
      name: 'forget-given',
      text: 'DELETE FROM settled_nonce WHERE lane_id = $1 AND nonce >= $2 AND given',
      values: [sequenceId, minedCount.toString()],
    });
  }

  private inSequence(sequenceId: number, work: (query: Query) => Promise<unknown>): Promise<void> {
    return this.database.transaction(async (client) => {
      const lock = 'SELECT FROM nonce_sequence WHERE id = $1 FOR UPDATE';
      await client.query({ name: 'lock-sequence', text: lock, values: [sequenceId] });
      await work((statement) => client.query(statement));
    });
  }
}
