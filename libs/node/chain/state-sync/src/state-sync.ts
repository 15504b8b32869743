import type { LedgerStore } from '@tetrad/node-store';
import { hashToBytes, pause, type Clock, type Logger } from '@tetrad/types';
import type { EvidenceOfRun, JoinedChain, KnownHeader } from './header-evidence.js';
import { HealedState } from './healed-state.js';
import {
  HeaderDownload,
  type Checkpoint,
  type NumberedHash,
  type PastToLeaveOut,
} from './header-download.js';
import { PastNeededError } from './past-needed-error.js';
import { SourcePool, type SourcePoolOptions } from './source-pool.js';
import { TakenState } from './taken-state.js';
import { TargetLostError } from './target-lost-error.js';

export interface StateSyncOptions<Snapshot> {
  readonly chain: JoinedChain<Snapshot>;
  /** What shows that headers are of the chain. */
  readonly evidence: EvidenceOfRun<Snapshot>;
  readonly store: LedgerStore;
  readonly peers: SourcePoolOptions['peers'];
  /**
   * Called before the state of a block is taken, once its header was verified; it may be called again for the same or a later block.
   * Throws when the blocks up to it must not be left out.
   */
  readonly onTarget?: ((block: NumberedHash) => Promise<void>) | undefined;
  /** Absent where every block may be left out. */
  readonly past?: PastToLeaveOut | undefined;
  readonly checkpoint: Checkpoint | undefined;
  /** Whether no more peers are to be waited for. */
  readonly isGathered: () => boolean;
  /** As in `TakenStateOptions`. */
  readonly isOrdered?: boolean | undefined;
  /** As `rows` of `HealedStateOptions`. */
  readonly healedRows?: number | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends the work when it is aborted, with its reason. */
  readonly signal: AbortSignal;
}

/** Time for more peers to connect once there is one, at most: the first may be behind. Units: ms */
const GATHER_MS = 2_000;
/** How often it is looked for them. */
const LOOK_MS = 50;
/** Pause before a later state is taken in place of one that no peer has any more. */
const RETARGET_MS = 1_000;
/** Part of the accounts after which the log says how far it is. */
const REPORT_SHARE = 0.1;

/**
 * Joins a chain without executing its past (docs/adr/0274): headers, then the state of the newest one, with proofs. Whatever is stored
 * is stored with the place to go on from, so it may be killed at any time and run again.
 */
export class StateSync<Snapshot> {
  private readonly pool: SourcePool;
  private readonly headers: HeaderDownload<Snapshot>;

  constructor(private readonly options: StateSyncOptions<Snapshot>) {
    const pool = new SourcePool(options);
    this.pool = pool;
    this.headers = new HeaderDownload({ ...options, pool, evidence: options.evidence(pool) });
  }

  /**
   * Runs until the state is there, and the chain goes on from its block.
   * @returns number of the block; undefined when the peers have no past to leave out
   * @throws OperatorError when the checkpoint is contradicted; PastNeededError when no state can be taken that leaves out nothing which
   * has to be executed; what the database fails with
   */
  async run(): Promise<number | undefined> {
    const { clock, logger, signal } = this.options;
    await this.gather();
    for (;;) {
      signal.throwIfAborted();
      const target = await this.aim();
      if (target === undefined) return undefined;
      try {
        await this.take(target);
        return target.block.header.number;
      } catch (error) {
        if (!(error instanceof TargetLostError)) throw error;
        logger.warn('the state of a block is no longer at any peer; a later one is taken', {
          block: target.block.header.number,
          why: error.message,
        });
        await pause(clock, RETARGET_MS, signal);
        const later = await this.headers.run();
        if (this.headers.isHeldBack && later.block.hash === target.block.hash)
          throw new PastNeededError(
            `blocks after ${target.block.header.number} may have to be executed, and no connected peer has the state of that block; join with --sync full and an empty database`,
          );
      }
    }
  }

  /** Waits for peers. */
  private async gather(): Promise<void> {
    const { clock, signal, isGathered } = this.options;
    while (this.pool.sources().length === 0 && !signal.aborted) await pause(clock, LOOK_MS, signal);
    const untilMs = clock.now() + GATHER_MS;
    while (!isGathered() && clock.now() < untilMs && !signal.aborted) await pause(clock, LOOK_MS, signal);
  }

  /** The block whose state is taken: the one that was begun with, unless there are later headers since. */
  private async aim(): Promise<KnownHeader<Snapshot> | undefined> {
    const { stateSync } = this.options.store;
    const begun = await stateSync.find();
    const stored = await this.headers.stored();
    // Without parts an earlier version began, which did not store what is of which state.
    const isGoingOn = begun !== undefined && begun.parts.length > 0;
    if (isGoingOn && begun.targetBlock === stored.block.header.number) return stored;
    const target = await this.headers.run();
    const { number } = target.block.header;
    if (number === 0 && this.headers.isHeldBack)
      throw new PastNeededError('the first blocks may have to be executed');
    if (number === 0) return undefined;
    const { hash, header } = target.block;
    await this.options.onTarget?.({ number, hash });
    await stateSync.aim(number, header.stateRoot);
    return target;
  }

  private async take({ block }: KnownHeader<Snapshot>): Promise<void> {
    const { store, logger } = this.options;
    const { number, stateRoot } = block.header;
    const begun = await store.stateSync.find();
    logger.info('taking the state of a block from peers', { block: number, hash: block.hash });
    const parts = { store, pool: this.pool, block: number };
    const taken = new TakenState({
      ...parts,
      stateRoot: hashToBytes(stateRoot),
      isOrdered: this.options.isOrdered,
      onProgress: this.reporter(number),
    });
    await taken.run(begun?.cursor);
    // Ranges of one root leave nothing out; accounts of earlier ones are brought up to it.
    await new HealedState({ ...parts, stateRoot, logger, rows: this.options.healedRows }).run();
    await store.stateSync.end(number, stateRoot);
    logger.info('the state is complete, the chain goes on from its block', { block: number });
  }

  private reporter(block: number): (share: number) => void {
    let next = 0;
    return (share) => {
      if (share < next) return;
      next = share + REPORT_SHARE;
      this.options.logger.info('accounts of the state are there', {
        block,
        percent: Math.floor(share * 100),
      });
    };
  }
}
