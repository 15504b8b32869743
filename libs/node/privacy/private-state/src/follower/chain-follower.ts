import {
  type Clock,
  type Gauge,
  Listeners,
  type Logger,
  type Metrics,
  RetryTimer,
  TetradError,
} from '@tetrad/types';
import type { FollowedBlock, FollowedChain, Following } from './followed-chain.js';
import { Waiters, type Waited } from './waiters.js';

export interface ChainFollowerOptions<Block extends FollowedBlock> {
  /** Name in log lines and as a label of metrics. */
  readonly name: string;
  readonly chain: FollowedChain<Block>;
  readonly following: Following<Block>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Milliseconds before the first retry of a paused block; doubles up to `maxRetryMs`. */
  readonly retryMs?: number;
  /** Upper bound of the delay between retries, in milliseconds. */
  readonly maxRetryMs?: number;
}

/** The block before which a follower is paused, and the reason. */
export interface FollowerPause {
  readonly blockNumber: number;
  readonly reason: string;
}

const RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

/** The stored rows of a follower belong to another chain. */
export class ForeignFollowerError extends TetradError {
  override readonly name = 'ForeignFollowerError';
  override readonly code = 'FOREIGN_FOLLOWER';
}

/**
 * Lets a part of the node process the blocks of the chain in order, each exactly once.
 *
 * The chain never waits for it. A block that cannot be processed now pauses the follower: the block is retried with a growing
 * delay before later blocks, and callers that wait for this or a later block are notified. After a restart it continues after
 * the block that it stored last.
 */
export class ChainFollower<Block extends FollowedBlock> {
  private headNumber = -1;
  private paused: FollowerPause | undefined;
  private running: Promise<void> | undefined;
  private stopped = false;
  private readonly retry: RetryTimer;
  private readonly unsubscribe: () => void;
  private readonly waiters: Waiters;
  private readonly listeners: Listeners<(blockNumber: number) => void>;
  private readonly headGauge: Gauge;
  private readonly lagGauge: Gauge;
  private readonly pausedGauge: Gauge;

  private constructor(private readonly options: ChainFollowerOptions<Block>) {
    const { chain, clock, metrics, logger, name, retryMs = RETRY_MS, maxRetryMs = MAX_RETRY_MS } = options;
    this.retry = new RetryTimer(clock, { firstMs: retryMs, maxMs: maxRetryMs });
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
   * Opens the follower after its last stored block and starts it.
   * @throws ForeignFollowerError when that block is not one of the chain
   */
  static async open<Block extends FollowedBlock>(
    options: ChainFollowerOptions<Block>,
  ): Promise<ChainFollower<Block>> {
    const { chain, following, name } = options;
    const head = await following.findHead();
    if (head !== undefined && (await chain.findHeader(head.number))?.hash !== head.hash) {
      throw new ForeignFollowerError(`${name}: block ${head.number} (${head.hash}) is not in the chain`);
    }
    const follower = new ChainFollower(options);
    follower.moveTo(head?.number ?? -1);
    follower.wake();
    return follower;
  }

  /** Number of the last followed block; -1 before the first. */
  get head(): number {
    return this.headNumber;
  }

  get pause(): FollowerPause | undefined {
    return this.paused;
  }

  /** Resolves when the block was followed, when the follower pauses before it, or after `withinMs` milliseconds. */
  waitFor(blockNumber: number, withinMs: number): Promise<Waited> {
    if (this.headNumber >= blockNumber) return Promise.resolve('followed');
    if (this.paused !== undefined) return Promise.resolve('paused');
    return this.waiters.add(blockNumber, withinMs);
  }

  /**
   * Calls the listener after each followed block.
   * @returns a function that removes the listener
   */
  onFollowed(listener: (blockNumber: number) => void): () => void {
    return this.listeners.add(listener);
  }

  /** Retries a paused block at once, because the missing resource may be available now. */
  wake(): void {
    if (this.stopped || this.running !== undefined) return;
    this.retry.cancel();
    this.running = this.run().finally(() => {
      this.running = undefined;
      // A block may have arrived since the last check.
      if (this.paused === undefined && this.isBehind()) this.wake();
    });
  }

  /** Ends between two blocks. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.unsubscribe();
    this.retry.cancel();
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

  /** @returns why the block could not be followed, or undefined */
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
    const { name, logger } = this.options;
    const isNew = this.paused?.reason !== pause.reason || this.paused.blockNumber !== pause.blockNumber;
    if (isNew) logger.warn('follower paused', { follower: name, ...pause });
    this.paused = pause;
    this.pausedGauge.set(1, { follower: name });
    this.waiters.endAll('paused');
    if (!this.stopped) this.retry.tryLater(() => this.wake());
  }

  private resume(): void {
    this.retry.succeeded();
    if (this.paused === undefined) return;
    const { blockNumber } = this.paused;
    this.paused = undefined;
    this.options.logger.info('follower resumed', { follower: this.options.name, blockNumber });
  }
}
