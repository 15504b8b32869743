import type { EthereumBlock, FeeMarket, Fees } from '@tetrad/rollup-chain';
import type { RollupStore, StoredSubmission } from '@tetrad/rollup-store';
import { aheadStep, type FollowingBatch, type SentBatch } from './ahead-rule.js';
import { offeredFees } from './offered-fees.js';
import { MAX_AHEAD } from './params.js';
import { provenOf, type ProvenBatch } from './proven-batch.js';
import type { Attempt, SubmissionView } from './submission-rule.js';

export interface AheadParts {
  readonly store: Pick<RollupStore, 'findBatch' | 'listSubmissions'>;
  readonly market: (head: EthereumBlock) => Promise<FeeMarket>;
  /** Maximum fee for a unit of gas, in wei. */
  readonly maxFeeLimit: bigint;
  /** What became of a transaction that was sent for the height of the batch. */
  readonly attempt: (batch: ProvenBatch, sent: StoredSubmission, head: EthereumBlock) => Promise<Attempt>;
  readonly send: (
    batch: ProvenBatch,
    transaction: { readonly nonce: number; readonly fees: Fees },
    head: EthereumBlock,
  ) => Promise<void>;
}

/** Sends batches behind the next one before that is mined: a block takes as many as its gas allows. */
export class AheadSubmitter {
  constructor(private readonly parts: AheadParts) {}

  /**
   * Sends one batch behind those that are sent and not mined.
   *
   * @param first - the batch that is next on the contract, which was sent
   * @param head - block at which all is looked at
   * @returns whether there was one
   */
  async step(first: SubmissionView, head: EthereumBlock): Promise<boolean> {
    const batches = await this.untilUnsent(first.height);
    let before: SentBatch = first;
    for (const batch of batches) {
      const view = await this.view(batch, head);
      const step = aheadStep(before, view);
      if (step.do === 'stop') return false;
      if (step.do === 'send') {
        const fees = offeredFees(await this.parts.market(head), this.parts.maxFeeLimit);
        if (fees === undefined) return false;
        await this.parts.send(batch, { nonce: step.nonce, fees }, head);
        return true;
      }
      before = { ...view, nextStateRoot: batch.roots.state };
    }
    return false;
  }

  /** The batches that were sent behind the next one, and the first that was not; empty when none waits to be sent, so that the client is not asked. */
  private async untilUnsent(height: number): Promise<readonly ProvenBatch[]> {
    const batches: ProvenBatch[] = [];
    for (let next = height + 1; next <= height + MAX_AHEAD; next += 1) {
      const batch = provenOf(await this.parts.store.findBatch(next));
      if (batch === undefined) return [];
      batches.push(batch);
      if (batch.row.state === 'proven') return batches;
    }
    return [];
  }

  private async view(batch: ProvenBatch, head: EthereumBlock): Promise<FollowingBatch> {
    const { row, roots } = batch;
    const submissions = await this.parts.store.listSubmissions(row.height);
    const sent = submissions.filter(({ state }) => state === 'sent');
    const hasFailed = row.failure !== undefined || submissions.length > sent.length;
    return {
      previousStateRoot: roots.previousState,
      attempts: await Promise.all(sent.map((one) => this.parts.attempt(batch, one, head))),
      failures: hasFailed ? 1 : 0,
    };
  }
}
