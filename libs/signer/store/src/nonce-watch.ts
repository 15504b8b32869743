import type { Database } from '@tetrad/db';
import type pg from 'pg';
import { leadBack } from './hot/lead-back.js';
import { lockSequence } from './hot/lock-sequence.js';
import { openGap } from './hot/open-gap.js';
import { putBackSettled } from './hot/put-back-settled.js';
import { settleNonces } from './hot/settle-nonces.js';
import { takeOverNonces } from './hot/take-over-nonces.js';
import { findGap, type Gap } from './nonce-gaps.js';
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
    const { replica, timing } = this.options;
    await this.inSequence(sequenceId, (client) =>
      takeOverNonces(client, sequenceId, { replica, stuckMs: timing.stuckMs }),
    );
  }

  /**
   * Moves mined nonces to the settled ones and advances the sequence. Settled ones that are not mined any more get their
   * rows back: the client was restored, or its chain reorganized.
   * @param minedCount - transactions of the account in blocks; doubtful nonces stay until their transaction is known
   */
  async settle(sequenceId: number, minedCount: bigint): Promise<void> {
    const { givenTtlMs } = this.options.timing;
    await this.inSequence(sequenceId, async (client) => {
      await this.putBack(client, { sequenceId, nonce: minedCount });
      await settleNonces(client, { id: sequenceId, minedCount }, { keep: KEPT_SETTLED, givenTtlMs });
    });
  }

  /**
   * Frees nonces that no transaction has and that the chain needs before it can mine ours behind them.
   * @param nonce - that the chain needs next
   * @returns undefined without such a gap
   */
  openGap(sequenceId: number, nonce: bigint): Promise<Gap | undefined> {
    const start = { sequenceId, nonce };
    return this.inSequence(sequenceId, async (client) => {
      await this.putBack(client, start);
      const gap = await findGap(client, start);
      if (gap === undefined) return undefined;
      if (gap.isWide) return { isWide: true };
      const owner = this.options.replica;
      return { isWide: false, ageMs: await openGap(client, { ...start, end: gap.end, owner }) };
    });
  }

  /**
   * Has the sequence assign the nonces of a wide gap, lowest first. Transactions behind it keep their nonces, and are mined
   * when the sequence reaches them.
   * @param nonce - that the chain needs next
   * @returns false when the gap is closed, or no longer a wide one
   */
  leadBack(sequenceId: number, nonce: bigint): Promise<boolean> {
    const start = { sequenceId, nonce };
    return this.inSequence(sequenceId, async (client) => {
      await this.putBack(client, start);
      if ((await findGap(client, start))?.isWide !== true) return false;
      await leadBack(client, start);
      return true;
    });
  }

  /** A nonce may have been settled, or lost, since the client was asked: what has bytes is no gap. */
  private putBack(client: pg.ClientBase, count: NonceName): Promise<void> {
    return putBackSettled(client, [count], this.options.replica);
  }

  private inSequence<T>(sequenceId: number, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    return this.database.transaction(async (client) => {
      await lockSequence(client, sequenceId);
      return work(client);
    });
  }
}
