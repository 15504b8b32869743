import type { Database } from '@tetrad/db';
import { underLease, type LeaseClaim, type RollupStore } from '@tetrad/rollup-store';
import type { Clock, Hash, Logger } from '@tetrad/types';
import { DEPOSIT_LEFT, NOT_YET, PROOF_FAILURES } from './failure-name.js';
import { SENDING_MS } from './params.js';
import { provenOf, type ProvenBatch } from './proven-batch.js';

export interface RefusalParts {
  readonly database: Database;
  readonly store: Pick<RollupStore, 'findBatch' | 'changeBatch' | 'changeSubmission' | 'sequence'>;
  readonly claim: LeaseClaim;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What was last said against the batch that is next, and how often in a row. */
export interface BatchRefusal {
  readonly height: number;
  readonly count: number;
  /** In ms since the epoch. */
  readonly at: number;
  /** For people. */
  readonly why: string;
}

/**
 * What the contract or the client has against batches: for people, for the pause before the next try, and for the rows of
 * the batches.
 */
export class BatchRefusals {
  /** Not stored: a restart tries again at once. */
  private last: BatchRefusal | undefined;

  constructor(private readonly parts: RefusalParts) {}

  /** For people; undefined when nothing is wrong. */
  get failure(): string | undefined {
    return this.last === undefined ? undefined : `batch ${this.last.height}: ${this.last.why}`;
  }

  /**
   * What there is against the batch that is next; what there was against others is forgotten.
   *
   * @param height - of that batch
   * @returns undefined when nothing is known
   */
  of(height: number): BatchRefusal | undefined {
    if (this.last?.height !== height) this.last = undefined;
    return this.last;
  }

  /** For people, and for the pause before the next try. */
  note(height: number, why: string): void {
    const { clock, logger } = this.parts;
    // A turn comes by itself: the pause before the next try does not grow.
    const before = this.last?.height === height && why !== NOT_YET ? this.last.count : 0;
    const count = before + 1;
    this.last = { height, count, at: clock.now(), why };
    logger.warn('batch refused', { height, reason: why, failures: count });
  }

  /**
   * Records the reason for the operator; a proof that the contract refuses is made again, and so is a batch that leaves a
   * deposit.
   *
   * @param batch - as it was read before the contract or the client was asked; nothing is done about one that became final
   *   or was taken back since then, nor when another process holds the lease
   * @param why - name of the failure
   */
  async refuse(batch: ProvenBatch, why: string): Promise<void> {
    await this.whileHolding(() => this.record(batch, why));
  }

  /**
   * Ends a transaction that can do nothing any more, and records why.
   *
   * @param batch - for which it was sent
   * @param hash - of the transaction
   * @param end - what became of it
   */
  async giveUp(
    batch: ProvenBatch,
    hash: Hash,
    end: { readonly state: 'dropped' | 'reverted'; readonly failure: string },
  ): Promise<void> {
    await this.whileHolding(async () => {
      await this.parts.store.changeSubmission(hash, end);
      await this.record(batch, end.failure);
    });
  }

  private async record({ row: { height }, roots }: ProvenBatch, why: string): Promise<void> {
    const { store } = this.parts;
    // Answers take their time: meanwhile the follower may have seen the batch on the chain, or taken it back.
    const present = provenOf(await store.findBatch(height));
    if (present?.roots.state !== roots.state) return;
    this.note(height, why);
    // Executed again, deposits come first.
    if (why === DEPOSIT_LEFT) return void (await store.sequence((step) => step.rewind(height)));
    const { state } = present.row;
    const next = PROOF_FAILURES.has(why) ? 'sealed' : state;
    await store.changeBatch({ height, from: state, stateRoot: roots.state }, { state: next, failure: why });
  }

  private whileHolding(work: () => Promise<void>): Promise<void> {
    const { database, claim } = this.parts;
    return underLease(database, { claim, limitMs: SENDING_MS }, work);
  }
}
