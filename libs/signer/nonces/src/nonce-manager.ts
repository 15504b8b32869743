import type { Lane, LaneKey, SignerStore } from '@tetrad/signer-store';
import { RequestError, silentLogger, systemClock, type Clock, type Hash, type Logger } from '@tetrad/types';
import { sendGiven } from './given-nonce.js';
import { IdempotentSends } from './idempotent-sends.js';
import type { LaneClient, NonceSend, SignedBytes } from './lane-client.js';
import { keepLane, type KeeperParts } from './lane-keeper.js';
import { LanePipeline, type PipelineParts } from './lane-pipeline.js';
import {
  DEFAULT_NONCE_MANAGER_TIMING,
  LANES_AT_A_TIME,
  LANES_PER_PASS,
  type NonceManagerTiming,
} from './params.js';
import { RecordedMoves } from './recorded-moves.js';
import { Repeating } from './repeating.js';

export interface NonceManagerOptions {
  readonly store: SignerStore;
  /** Speaks to the Ethereum client for nobody in particular; looks after what callers no longer wait for. */
  readonly clientFor: (lane: LaneKey) => LaneClient;
  /**
   * Signs what uses up a nonce and does nothing else, when the chain waits for one that no send takes; undefined when
   * it will not. Without it a gap waits for the account's next send.
   */
  readonly fillGap?: (lane: LaneKey, nonce: bigint) => Promise<SignedBytes | undefined>;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly timing?: Partial<NonceManagerTiming>;
}

/** The gap that was to be filled is not one any more. */
class GapClosedError extends Error {
  override readonly name = 'GapClosedError';
}

/**
 * Gives every transaction a nonce of its own, whatever fails in between and however many replicas share the database.
 *
 * What is signed is stored before it is submitted, and submitted with the same bytes until its fate is known.
 */
export class NonceManager {
  private readonly pipelines = new Map<number, LanePipeline>();
  private readonly parts: PipelineParts & KeeperParts;
  private readonly idempotent: IdempotentSends;
  private readonly heartbeat: Repeating;
  private readonly passes: Repeating;

  constructor(private readonly options: NonceManagerOptions) {
    const { store, clock = systemClock, logger = silentLogger } = options;
    const timing = { ...DEFAULT_NONCE_MANAGER_TIMING, ...options.timing };
    const moves = new RecordedMoves(store.nonces, logger);
    this.parts = { store: store.nonces, watch: store.watch, moves, clock, logger, timing };
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

  /** Registers the replica and begins to look after lanes. Fails: the database's error */
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
   *
   * Out:   what the client answered: the hash of the transaction
   * Fails: as the client; RetriesExhaustedError; RequestError REQUEST_TIMEOUT, TOO_MANY_CONCURRENT_REQUESTS,
   *        IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_FLIGHT; as `sign`; the database's error.
   *        After an error without an answer of the client the transaction may still be mined, and only once.
   */
  async send(send: NonceSend): Promise<Hash> {
    const { claim } = send;
    if (claim === undefined) return this.sendOnce(send);
    return this.idempotent.run(claim, send.signal, async (wasLeftBehind) => {
      // What died over it may have reserved a nonce, which comes back first: taking another would leave a gap.
      if (wasLeftBehind) await this.parts.watch.takeOver((await this.laneOf(send)).id);
      return this.sendOnce(send);
    });
  }

  private laneOf(send: NonceSend): Promise<Lane> {
    return this.options.store.lanes.open(send.lane);
  }

  private async sendOnce(send: NonceSend): Promise<Hash> {
    const lane = await this.laneOf(send);
    if (send.nonce !== undefined) return sendGiven(lane, send.nonce, send, this.parts);
    return this.pipelineOf(lane).send(send);
  }

  private pipelineOf(lane: Lane): LanePipeline {
    const pipeline = this.pipelines.get(lane.id) ?? new LanePipeline(lane, this.parts);
    this.pipelines.set(lane.id, pipeline);
    return pipeline;
  }

  private async pass(): Promise<void> {
    const { store } = this.options;
    await this.parts.moves.retry();
    const lanes = await store.lanes.claim(LANES_PER_PASS);
    const queue = [...lanes];
    const work = async () => {
      for (let lane = queue.shift(); lane !== undefined; lane = queue.shift()) await this.keep(lane);
    };
    await Promise.all(Array.from({ length: LANES_AT_A_TIME }, work));
    this.forgetIdle(new Set(lanes.map(({ id }) => id)));
    await store.idempotency.prune(this.parts.timing.idempotencyTtlMs);
    await store.rates.prune();
    await store.replicas.pruneDead();
  }

  private async keep(lane: Lane): Promise<void> {
    try {
      const gap = await keepLane(lane, this.options.clientFor(lane), this.parts);
      if (gap !== undefined) await this.fill(lane, gap);
    } catch (error) {
      // The client being unavailable is said once, by those who watch it; here it only means that nothing changes.
      const level = error instanceof RequestError ? 'debug' : 'warn';
      this.parts.logger[level]('lane was not looked after', { account: lane.account, error });
    }
  }

  private async fill(lane: Lane, gap: bigint): Promise<void> {
    const { fillGap } = this.options;
    if (fillGap === undefined) return;
    const sign = async (nonce: bigint) => {
      const filler = nonce === gap ? await fillGap(lane, nonce) : undefined;
      if (filler === undefined) throw new GapClosedError('the gap is closed, or stays open');
      return filler;
    };
    await this.pipelineOf(lane)
      .send({ lane, client: this.options.clientFor(lane), sign })
      .catch((error: unknown) => {
        if (!(error instanceof GapClosedError)) throw error;
      });
  }

  /** Lanes with nothing under way, here or in the database. */
  private forgetIdle(busy: ReadonlySet<number>): void {
    for (const [id, pipeline] of this.pipelines) {
      if (pipeline.isIdle() && !busy.has(id)) this.pipelines.delete(id);
    }
  }
}
