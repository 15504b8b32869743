import type { NonceSequence, NonceSequenceKey, SignerStore } from '@tetrad/signer-store';
import {
  RequestError,
  silentLogger,
  systemClock,
  type Address,
  type Clock,
  type Hash,
  type Logger,
} from '@tetrad/types';
import { BelievedCount, type BelievedCountParts } from './believed-count.js';
import type { CountDoubt } from './count-doubt.js';
import { sendGiven } from './given-nonce.js';
import { IdempotentSends } from './idempotent-sends.js';
import type { ClaimedSend, SequenceClient, NonceSend, SignedBytes } from './sequence-client.js';
import { keepSequence, type KeeperParts, type NonceToFill } from './sequence-keeper.js';
import { SequencePipeline, type PipelineParts } from './sequence-pipeline.js';
import {
  DEFAULT_NONCE_MANAGER_TIMING,
  SEQUENCES_AT_A_TIME,
  SEQUENCES_PER_PASS,
  type NonceManagerTiming,
} from './params.js';
import { RecordedMoves } from './recorded-moves.js';
import { Repeating } from './repeating.js';

export interface NonceManagerOptions {
  readonly store: SignerStore;
  /** The Ethereum client without a caller's credentials, for maintenance of transactions whose callers have left. */
  readonly clientFor: (sequence: NonceSequenceKey) => SequenceClient;
  /**
   * Signs a transaction without effect for a nonce that the chain needs and no send uses; undefined to leave the gap
   * open. Where a lost transaction has the nonce, it pays enough to replace it. Without this function a gap stays open
   * until the account's next send.
   */
  readonly fillGap?: (sequence: NonceSequenceKey, gap: NonceToFill) => Promise<SignedBytes | undefined>;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly timing?: Partial<NonceManagerTiming>;
  /** Called for each nonce sequence that was led back. */
  readonly onLedBack?: (() => void) | undefined;
}

/** A nonce sequence whose client is doubted. */
export interface DoubtedSequence extends CountDoubt {
  readonly account: Address;
  readonly isHeldBack: boolean;
}

/** The gap that was to be filled is closed. */
class GapClosedError extends Error {
  override readonly name = 'GapClosedError';
}

/**
 * Assigns every transaction a unique nonce, across failures and across all replicas that share the database.
 *
 * A signed transaction is stored before it is submitted, and resubmitted with the same bytes until its fate is known.
 */
export class NonceManager {
  private readonly pipelines = new Map<number, SequencePipeline>();
  private readonly counts = new Map<number, BelievedCount>();
  private readonly parts: PipelineParts & KeeperParts & BelievedCountParts;
  private readonly idempotent: IdempotentSends;
  private readonly heartbeat: Repeating;
  private readonly passes: Repeating;

  constructor(private readonly options: NonceManagerOptions) {
    const { store, clock = systemClock, logger = silentLogger } = options;
    const { resetGraceMs } = store.timing;
    const timing = { ...DEFAULT_NONCE_MANAGER_TIMING, ...options.timing, resetGraceMs };
    const moves = new RecordedMoves(store.nonces, logger);
    const { nonces, watch, positions } = store;
    const { onLedBack } = options;
    this.parts = { store: nonces, watch, positions, moves, clock, logger, timing, onLedBack };
    this.idempotent = new IdempotentSends({ store: store.idempotency, clock, timing });
    const { replicaTtlMs } = store.timing;
    this.heartbeat = new Repeating(
      { clock, logger, everyMs: replicaTtlMs / 4, name: 'replica heartbeat' },
      () => store.replicas.stayAlive(replicaTtlMs),
    );
    this.passes = new Repeating({ clock, logger, everyMs: timing.passMs, name: 'nonce pass' }, () =>
      this.pass(),
    );
  }

  /** Sends on this replica that wait for a nonce. */
  get waitingSends(): number {
    let count = 0;
    for (const pipeline of this.pipelines.values()) count += pipeline.waitingSends;
    return count;
  }

  /** The nonce sequences whose client this replica does not believe now. */
  doubted(): readonly DoubtedSequence[] {
    return [...this.counts.values()].flatMap(({ doubt, isHeldBack, sequence }) =>
      doubt === undefined ? [] : [{ ...doubt, isHeldBack, account: sequence.account }],
    );
  }

  /**
   * Registers the replica and starts to maintain nonce sequences.
   * @throws the database's error
   */
  async start(): Promise<void> {
    await this.options.store.replicas.stayAlive(this.options.store.timing.replicaTtlMs);
    this.heartbeat.start();
    this.passes.start();
  }

  /** Lets the other replicas take over at once. Sends that still run are theirs from then on. */
  async stop(): Promise<void> {
    await Promise.all([this.heartbeat.stop(), this.passes.stop()]);
    await this.options.store.replicas.leave();
  }

  /**
   * Signs and submits with the account's next nonce, or once with the caller's own.
   * @returns what the client answered: the hash of the transaction
   * @throws as the client; RetriesExhaustedError; RequestError REQUEST_TIMEOUT, TOO_MANY_CONCURRENT_REQUESTS,
   *   IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_FLIGHT; as `sign`; the database's error. After an error without an
   *   answer of the client the transaction may still be mined, and only once
   */
  async send(send: NonceSend): Promise<Hash> {
    const { claim, ...unclaimed } = send;
    if (claim === undefined) return this.sendOnce(unclaimed);
    return this.idempotent.run(claim, send.signal, async ({ status, version }) => {
      // The replica that died may have reserved a nonce, which is returned first: using another would leave a gap.
      if (status === 'taken-over') await this.parts.watch.takeOver((await this.sequenceOf(send)).id);
      return this.sendOnce({ ...unclaimed, claim: { ...claim, version } });
    });
  }

  private sequenceOf(send: NonceSend): Promise<NonceSequence> {
    return this.options.store.sequences.open(send.sequence);
  }

  private async sendOnce(send: ClaimedSend): Promise<Hash> {
    const sequence = await this.sequenceOf(send);
    if (send.nonce !== undefined) return sendGiven(sequence, send.nonce, send, this.parts);
    return this.pipelineOf(sequence).send(send);
  }

  private pipelineOf(sequence: NonceSequence): SequencePipeline {
    const pipeline =
      this.pipelines.get(sequence.id) ?? new SequencePipeline(this.countOf(sequence), this.parts);
    this.pipelines.set(sequence.id, pipeline);
    return pipeline;
  }

  private countOf(sequence: NonceSequence): BelievedCount {
    const count = this.counts.get(sequence.id) ?? new BelievedCount(sequence, this.parts);
    this.counts.set(sequence.id, count);
    return count;
  }

  private async pass(): Promise<void> {
    const { store } = this.options;
    await this.parts.moves.retry();
    const sequences = await store.sequences.claim(SEQUENCES_PER_PASS);
    const queue = [...sequences];
    const work = async () => {
      for (let sequence = queue.shift(); sequence !== undefined; sequence = queue.shift())
        await this.keep(sequence);
    };
    await Promise.all(Array.from({ length: SEQUENCES_AT_A_TIME }, work));
    const kept = new Set(sequences.map(({ id }) => id));
    await this.askAgain(kept);
    this.forgetIdle(kept);
    await store.idempotency.prune(this.parts.timing.idempotencyTtlMs);
    await store.rates.prune();
    await store.replicas.pruneDead();
  }

  private async keep(sequence: NonceSequence): Promise<void> {
    try {
      const client = this.options.clientFor(sequence);
      const gap = await keepSequence(this.countOf(sequence), client, this.parts);
      if (gap !== undefined) await this.fill(sequence, gap);
    } catch (error) {
      this.keepingFailed(sequence, error);
    }
  }

  private keepingFailed({ account }: NonceSequence, error: unknown): void {
    // The health check of the client logs its outage once; here it only means that nothing changes.
    const level = error instanceof RequestError ? 'debug' : 'warn';
    this.parts.logger[level]('nonce sequence maintenance failed', { account, error });
  }

  /** Asks clients that are doubted and have no transaction in flight, so that a doubt ends without a further send. */
  private async askAgain(kept: ReadonlySet<number>): Promise<void> {
    for (const count of this.counts.values()) {
      const { sequence, doubt } = count;
      if (doubt === undefined || kept.has(sequence.id)) continue;
      await count
        .ask(this.options.clientFor(sequence))
        .catch((error: unknown) => this.keepingFailed(sequence, error));
    }
  }

  private async fill(sequence: NonceSequence, gap: NonceToFill): Promise<void> {
    const { fillGap } = this.options;
    if (fillGap === undefined) return;
    const sign = async (nonce: bigint) => {
      const filler = nonce === gap.nonce ? await fillGap(sequence, gap) : undefined;
      if (filler === undefined) throw new GapClosedError('the gap is closed, or stays open');
      return filler;
    };
    const count = this.countOf(sequence);
    const signal = {
      // A pass does not wait until the client is believed.
      get aborted() {
        return count.isHeldBack;
      },
    };
    const send: ClaimedSend = { sequence, client: this.options.clientFor(sequence), sign, signal };
    const filling =
      gap.lost === undefined
        ? this.pipelineOf(sequence).send(send)
        : sendGiven(sequence, gap.nonce, send, this.parts);
    await filling.catch((error: unknown) => {
      if (!(error instanceof GapClosedError)) throw error;
    });
  }

  /** Drops the pipelines of sequences without transactions in flight, here and in the database. */
  private forgetIdle(busy: ReadonlySet<number>): void {
    for (const [id, pipeline] of this.pipelines) {
      if (pipeline.isIdle() && !busy.has(id)) this.pipelines.delete(id);
    }
    for (const [id, { doubt }] of this.counts) {
      if (doubt === undefined && !busy.has(id) && !this.pipelines.has(id)) this.counts.delete(id);
    }
  }
}
