import type { Database } from '@tetrad/db';
import type { ContractFollower } from '@tetrad/rollup-chain';
import type { Sequencer } from '@tetrad/rollup-sequencer';
import {
  isLeased,
  takeLease,
  type StoredBatch,
  type LeaseClaim,
  type RollupStore,
} from '@tetrad/rollup-store';
import { OperatorError, type Clock, type Logger } from '@tetrad/types';
import type { BatchSubmitter } from './batch-submitter.js';
import type { DemandWatch, Demands } from './demand-watch.js';
import { HEARTBEAT_MS, LEASE_MS, MAX_WAITING } from './params.js';
import { provingLease } from './proving/heartbeat.js';
import type { LivingProvers } from './proving/living-provers.js';
import type { Pruner } from './pruner.js';
import { shouldSeal } from './seal-rule.js';

export interface BatcherParts {
  readonly database: Database;
  readonly store: RollupStore;
  readonly follower: ContractFollower;
  readonly sequencer: Sequencer;
  readonly submitter: BatchSubmitter;
  /** What holders demand by the contract. */
  readonly watch: DemandWatch;
  /** Makes the queue of the provers follow the batches. */
  readonly enqueueProofs: () => Promise<void>;
  /** Which sizes batches get; without it, all of the sequencer. */
  readonly provers?: LivingProvers | undefined;
  /** Undefined where everything is kept. */
  readonly pruner?: Pruner | undefined;
  readonly claim: LeaseClaim;
  readonly sealIntervalMs: number;
  readonly clock: Clock;
  readonly logger?: Logger | undefined;
}

/** One of the things that a batcher does again and again. */
export type BatcherTask = 'follow' | 'seal' | 'submit' | 'prune' | 'watch';

/**
 * Turns what was accepted into batches on the chain. Several processes may have one: the holder of the lease works, the
 * others wait until it is gone.
 */
export class Batcher {
  private holdsLease = false;
  /** The chain says what this operator did not do, and a person has to look. */
  private isAstray = false;
  /** When it looked whether provers of a size are gone, in ms since the epoch. */
  private lookedAt = -Infinity;

  constructor(private readonly parts: BatcherParts) {}

  /** Whether this process is the one that works. */
  get isHolder(): boolean {
    return this.holdsLease;
  }

  /** What holders demand, as the holder of the lease last saw it; undefined where nothing can be demanded. */
  get demands(): Demands | undefined {
    return this.holdsLease ? this.parts.watch.demands : undefined;
  }

  /**
   * Why the batch that is next does not get onto the chain, or what is not served in time; undefined when nothing is wrong.
   */
  get failure(): string | undefined {
    if (!this.holdsLease) return undefined;
    const { watch, submitter } = this.parts;
    return watch.isFrozen ? watch.problem : (submitter.failure ?? watch.problem);
  }

  /** Takes the lease, or prolongs it. */
  async beat(): Promise<void> {
    const { database, claim } = this.parts;
    this.holdsLease = await takeLease(database.pool, claim, LEASE_MS);
  }

  /**
   * Does one of its tasks once, if it is this process that works.
   * @returns whether there is more to do at once
   */
  async step(task: BatcherTask): Promise<boolean> {
    if (!this.holdsLease) return false;
    if (task === 'prune') return (await this.parts.pruner?.step()) ?? false;
    if (task === 'follow') return this.follow();
    if (task === 'watch') return this.parts.watch.step();
    // No further batch is taken, for good.
    if (this.parts.watch.isFrozen) return false;
    // A sealed batch would build on a state that the chain does not have.
    if (task === 'seal') return this.isAstray ? false : this.seal();
    const done = await this.parts.submitter.step();
    return done === 'dropped' || done === 'reverted';
  }

  /** Lets others work at once. */
  async release(): Promise<void> {
    this.holdsLease = false;
    await this.parts.store.releaseLease(this.parts.claim);
  }

  private async follow(): Promise<boolean> {
    try {
      const hasMore = await this.parts.follower.step();
      this.isAstray = false;
      return hasMore;
    } catch (error) {
      this.isAstray = error instanceof OperatorError;
      throw error;
    }
  }

  /** Executes what is there, closes the open batch when it is time, writes trees and asks for proofs. */
  private async seal(): Promise<boolean> {
    const { sequencer, store, enqueueProofs, provers } = this.parts;
    const sizes = await provers?.sizes();
    await this.takeBackAbandoned();
    const changed = await this.execute(sizes);
    const { openHeight } = await store.readHead();
    const open = await store.findBatch(openHeight);
    if (open !== undefined && (await this.isDue(open))) await sequencer.sealOpenBatch(sizes);
    const assembled = await sequencer.assembleNext();
    await enqueueProofs();
    return assembled !== undefined || changed > 0;
  }

  /** Executes again, in batches that some prover proves, what waits for one that is gone. */
  private async takeBackAbandoned(): Promise<void> {
    const { store, database, provers, clock, logger } = this.parts;
    const now = clock.now();
    if (provers === undefined || now - this.lookedAt < HEARTBEAT_MS) return;
    this.lookedAt = now;
    for (const state of ['sealed', 'proving'] as const) {
      const [batch] = await store.listBatches(state, 1);
      if (batch === undefined || !(await provers.isAbandoned(batch.size))) continue;
      const { height, size } = batch;
      // A prover of an earlier version does not say that it lives.
      if (await isLeased(database.pool, provingLease(height))) continue;
      const isTakenBack = await store.sequence(async (step) => {
        if ((await step.batch(height)).state !== state) return false;
        await step.rewind(height);
        return true;
      });
      if (isTakenBack) logger?.warn('batch taken back: no prover lives for its size', { height, size });
    }
  }

  private async isDue(open: StoredBatch): Promise<boolean> {
    const { clock, sealIntervalMs } = this.parts;
    const now = clock.now();
    const bounds = { intervalMs: sealIntervalMs, waiting: (await this.waiting()).sealed };
    return shouldSeal({ ...open, openedAt: open.openedAt.getTime() }, now, bounds);
  }

  /** @returns how many operations it executed, rejected or found to wait for others: there may be more to look at */
  private async execute(sizes: readonly number[] | undefined): Promise<number> {
    const { sequencer, watch } = this.parts;
    // What may be in a batch depends on the contract: until it has answered, nothing is executed.
    if (watch.freezes === undefined) return 0;
    const { sealed, proven } = await this.waiting();
    const largest = sizes === undefined ? sequencer.largestSize : Math.max(...sizes);
    const room = roomFor(Math.max(sealed, proven), largest);
    if (room === 0) return 0;
    const { executed, rejected, waiting } = await sequencer.executePending({
      isProverBehind: sealed > 0,
      requests: watch.served,
      room,
      sizes,
    });
    return executed + rejected + waiting;
  }

  /** Batches that are closed and that no prover has taken, and those with a proof that wait for the next one to get onto the chain. */
  private async waiting(): Promise<{ readonly sealed: number; readonly proven: number }> {
    const counts = await this.parts.store.countBatches();
    const behind = Math.max(0, (counts.get('submitted') ?? 0) - 1);
    return { sealed: counts.get('sealed') ?? 0, proven: (counts.get('proven') ?? 0) + behind };
  }
}

/**
 * What is executed has its place before whatever comes later: without a bound, free accounts could put days of work before a request,
 * and before every account that takes turns with them.
 */
function roomFor(waiting: number, size: number): number {
  return Math.max(0, MAX_WAITING - waiting) * size;
}
