import { type Clock, type Gauge, Listeners, type Logger, type Metrics, TetradError } from '@tetrad/types';
import type { FollowedBlock, FollowedChain, Following } from './followed-chain.js';
import { Waiters, type Waited } from './waiters.js';

export interface ChainFollowerOptions<Block extends FollowedBlock> {
  /** In log lines and as a label of metrics. */
  readonly name: string;
  readonly chain: FollowedChain<Block>;
  readonly following: Following<Block>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Time before a block that paused is tried again; it doubles up to the cap. Units: ms */
  readonly retryMs?: number;
  readonly maxRetryMs?: number;
}

/** A block at which a follower stands, and why. */
export interface FollowerPause {
  readonly blockNumber: number;
  readonly reason: string;
}

const RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

/** The rows of a follower are not of this chain. */
export class ForeignFollowerError extends TetradError {
  override readonly name = 'ForeignFollowerError';
  override readonly code = 'FOREIGN_FOLLOWER';
}

/**
 * Drives a part of the node along the chain, one block after the other, each exactly once.
 *
 * The chain never waits for it. A block that cannot be followed now pauses it: the blocks after wait, the block is tried
 * again with a growing delay, and those who wait for a later block are told. After a restart it goes on behind the block
 * that it stored last.
 */
export class ChainFollower<Block extends FollowedBlock> {
  private headNumber = -1;
  private standing: FollowerPause | undefined;
  private attempts = 0;
  private running: Promise<void> | undefined;
  private stopped = false;
  private cancelRetry: () => void = () => undefined;
  private readonly unsubscribe: () => void;
  private readonly waiters: Waiters;
  private readonly listeners: Listeners<(blockNumber: number) => void>;
  private readonly headGauge: Gauge;
  private readonly lagGauge: Gauge;
  private readonly pausedGauge: Gauge;

  private constructor(private readonly options: ChainFollowerOptions<Block>) {
    const { chain, clock, metrics, logger, name } = options;
    this.waiters = new Waiters(clock);
    this.listeners = new Listeners((error) =>
      logger.error('a listener of a follower failed', { follower: name, error }),
    );
    this.headGauge = metrics.gauge('node_follower_block_number', 'Block that a follower of the chain is at', [
      'follower',
    ]);
    this.lagGauge = metrics.gauge(
      'node_follower_lag_blocks',
      'Blocks of the chain that a follower is behind',
      ['follower'],
    );
    this.pausedGauge = metrics.gauge('node_follower_paused', '1 while a follower of the chain is paused', [
      'follower',
    ]);
    this.unsubscribe = chain.onBlock(() => {
      this.reportLag();
      this.wake();
    });
  }

  /**
   * Opens the follower behind its last block and lets it run.
   *
   * Fails: ForeignFollowerError when that block is not one of the chain
   */
  static async open<Block extends FollowedBlock>(
    options: ChainFollowerOptions<Block>,
  ): Promise<ChainFollower<Block>> {
    const { chain, following, name } = options;
    const head = await following.findHead();
    if (head !== undefined && (await chain.findBlock(head.number))?.hash !== head.hash) {
      throw new ForeignFollowerError(`${name}: block ${head.number} (${head.hash}) is not in the chain`);
    }
    const follower = new ChainFollower(options);
    follower.moveTo(head?.number ?? -1);
    follower.wake();
    return follower;
  }

  /** Number of the block that was followed last; -1 before the first. */
  get head(): number {
    return this.headNumber;
  }

  get pause(): FollowerPause | undefined {
    return this.standing;
  }

  /** Resolves when the block was followed, when the follower pauses before it, or when the time is over. Units: ms */
  waitFor(blockNumber: number, withinMs: number): Promise<Waited> {
    if (this.headNumber >= blockNumber) return Promise.resolve('followed');
    if (this.standing !== undefined) return Promise.resolve('paused');
    return this.waiters.add(blockNumber, withinMs);
  }

  /** Calls the listener after each block that was followed; the result ends that. */
  onFollowed(listener: (blockNumber: number) => void): () => void {
    return this.listeners.add(listener);
  }

  /** Tries at once what would be tried later: whatever was missing may be there now. */
  wake(): void {
    if (this.stopped || this.running !== undefined) return;
    this.cancelRetry();
    this.running = this.run().finally(() => {
      this.running = undefined;
      // A block may have come between the last look and here.
      if (this.standing === undefined && this.isBehind()) this.wake();
    });
  }

  /** Ends between two blocks. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.unsubscribe();
    this.cancelRetry();
    await this.running;
    this.waiters.endAll('late');
  }

  private isBehind(): boolean {
    return !this.stopped && this.headNumber < this.options.chain.head().header.number;
  }

  private async run(): Promise<void> {
    while (this.isBehind()) {
      const reason = await this.step(this.headNumber + 1);
      if (reason !== undefined) return this.standAt({ blockNumber: this.headNumber + 1, reason });
      this.resume();
      this.moveTo(this.headNumber + 1);
      this.listeners.emit((listener) => listener(this.headNumber));
    }
  }

  /** Out: why the block could not be followed, or undefined */
  private async step(number: number): Promise<string | undefined> {
    const { chain, following } = this.options;
    try {
      const head = chain.head();
      const block = head.header.number === number ? head : await chain.findBlock(number);
      if (block === undefined) return `block ${number} is not stored`;
      const outcome = await following.follow(block);
      return outcome.kind === 'paused' ? outcome.reason : undefined;
    } catch (error) {
      const { name, logger } = this.options;
      logger.error('a block could not be followed', { follower: name, blockNumber: number, error });
      return `failed: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  private moveTo(number: number): void {
    this.headNumber = number;
    this.headGauge.set(number, { follower: this.options.name });
    this.pausedGauge.set(0, { follower: this.options.name });
    this.reportLag();
    this.waiters.reached(number);
  }

  private reportLag(): void {
    const { chain, name } = this.options;
    this.lagGauge.set(Math.max(0, chain.head().header.number - this.headNumber), { follower: name });
  }

  private standAt(pause: FollowerPause): void {
    const { name, logger, clock, retryMs = RETRY_MS, maxRetryMs = MAX_RETRY_MS } = this.options;
    const isNew = this.standing?.reason !== pause.reason || this.standing.blockNumber !== pause.blockNumber;
    if (isNew) logger.warn('follower paused', { follower: name, ...pause });
    this.standing = pause;
    this.pausedGauge.set(1, { follower: name });
    this.waiters.endAll('paused');
    const delay = Math.min(maxRetryMs, retryMs * 2 ** Math.min(this.attempts++, 20));
    if (!this.stopped) this.cancelRetry = clock.schedule(delay, () => this.wake());
  }

  private resume(): void {
    this.attempts = 0;
    if (this.standing === undefined) return;
    const { blockNumber } = this.standing;
    this.standing = undefined;
    this.options.logger.info('going on', { follower: this.options.name, blockNumber });
  }
}
