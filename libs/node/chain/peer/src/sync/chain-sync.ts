import { keccakHash } from '@tetrad/crypto';
import { pause, type Address, type Block, type Clock, type Logger } from '@tetrad/types';
import type { PeerLimits } from '../limits.js';
import { KnownHashes } from '../peers/known.js';
import type { Penalty } from '../peers/peer-score.js';
import type { Peer } from '../peers/peer.js';
import type { ChainPort } from '../ports.js';
import { type BlockDownload, SyncFault } from './block-download.js';
import { lookAhead } from './look-ahead.js';
import { pickSource } from './pick-source.js';

/** Whole blocks that were pushed lately. */
const PUSHED = 64;
/** Pause after a failure of this node, for example of its database. */
const TROUBLE_MS = 1_000;
/** How often the clock is looked at while a block is held. */
const HOLD_MS = 1_000;

export interface ChainSyncOptions {
  readonly chain: ChainPort;
  readonly limits: PeerLimits;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly connected: () => readonly Peer[];
  /** Validators of the block after the head. */
  readonly validators: () => readonly Address[];
  readonly download: BlockDownload;
  readonly penalise: (peer: Peer, penalty: Penalty, detail?: string) => void;
}

/** Progress of a node that is catching up. */
export interface SyncProgress {
  readonly startingBlock: number;
  readonly currentBlock: number;
  readonly highestBlock: number;
}

/**
 * Catches up with the chains of the peers: from one source at a time, downloading while importing.
 *
 * Any peer can claim a far head and then not deliver, and new ones can come to do it again. So after each source that failed
 * a validator comes first, which is one of few, and is given its time; the more often one fails, the later it is asked again.
 */
export class ChainSync {
  private readonly pushed = new KnownHashes(PUSHED);
  /** The current source. */
  private current: { readonly source: Peer; readonly startingBlock: number } | undefined;
  private waiting: { readonly number: number; readonly sinceMs: number } | undefined;
  private cancelWait: () => void = () => undefined;
  private pausedUntilMs = 0;
  /** Whether the last source failed, and nothing came since. */
  private hasFailed = false;
  private isStopped = false;

  constructor(private readonly options: ChainSyncOptions) {}

  /** Called on changes: begins to catch up when a peer is ahead. */
  consider(): void {
    const { chain, clock, limits, connected, validators } = this.options;
    if (this.isStopped || this.current !== undefined) return;
    const nowMs = clock.now();
    if (nowMs < this.pausedUntilMs) return this.later(this.pausedUntilMs - nowMs);
    const { number } = chain.head().header;
    const preferred = this.hasFailed ? validators() : [];
    const source = pickSource(connected(), { number, nowMs, preferred });
    if (source?.head === undefined) return;
    // The chain may take blocks later, and the peers ahead may not announce anything until then.
    if (chain.takesBlocks?.() === false) return this.later(TROUBLE_MS);
    // The next block usually arrives without a request: from consensus, or pushed whole.
    if (source.head.number === number + 1) {
      if (this.waiting?.number !== number) this.waiting = { number, sinceMs: nowMs };
      const leftMs = this.waiting.sinceMs + limits.blockPatienceMs - nowMs;
      if (leftMs > 0) return this.later(leftMs);
      if (chain.isStoring()) return this.later(limits.blockPatienceMs);
    }
    void this.work(source, () => this.catchUp(source));
  }

  /** A peer pushed a whole block. */
  async receive(peer: Peer, raw: Uint8Array): Promise<void> {
    const { chain, download } = this.options;
    if (chain.takesBlocks?.() === false) return;
    const rawHash = keccakHash(raw);
    if (this.pushed.has(rawHash)) return;
    this.pushed.add(rawHash);
    try {
      const block = await download.decode(raw);
      peer.connection?.known.blocks.add(block.hash);
      peer.learnHead({ number: block.header.number, hash: block.hash });
      const head = chain.head();
      if (block.header.number <= head.header.number) return;
      const isLater = this.current !== undefined || chain.earlyMs(block) > 0;
      if (isLater || block.header.parentHash !== head.hash) return this.consider();
      await this.work(peer, async () => {
        await download.verify([block], head);
        await this.importOne(block);
      });
    } catch (error) {
      this.settle(peer, error);
    }
  }

  /** Undefined when nothing but perhaps the next block is missing. */
  progress(): SyncProgress | undefined {
    if (this.current === undefined) return undefined;
    const { source, startingBlock } = this.current;
    const currentBlock = this.options.chain.head().header.number;
    const highestBlock = source.head?.number ?? currentBlock;
    return highestBlock > currentBlock + 1 ? { startingBlock, currentBlock, highestBlock } : undefined;
  }

  /** Whether blocks may be had sooner from a peer other than the source. */
  hasOther(source: Peer): boolean {
    const { number } = this.options.chain.head().header;
    const isAhead = (peer: Peer) => peer !== source && (peer.head?.number ?? -1) > number;
    return !this.hasFailed && this.options.connected().some(isAhead);
  }

  stop(): void {
    this.isStopped = true;
    this.cancelWait();
  }

  private async catchUp(source: Peer): Promise<void> {
    const { chain, download, limits } = this.options;
    for await (const blocks of lookAhead(download.ranges(source, chain.head()), limits.syncLookAhead)) {
      for (const block of blocks) {
        if (this.isStopped) return;
        await this.importOne(block);
      }
      source.syncFaults = 0;
      this.hasFailed = false;
    }
  }

  private async importOne(block: Block): Promise<void> {
    const { chain } = this.options;
    await this.hold(block);
    // Consensus may have been faster.
    if (this.isStopped || block.header.number <= chain.head().header.number) return;
    const outcome = await chain.importBlock(block);
    if (outcome.kind === 'invalid') throw new SyncFault('invalid block', outcome.reason);
  }

  /**
   * Waits until a block that is ahead of this node's clock may be imported. A quorum has sealed it, so the clock is wrong and
   * not the peer; it may be set meanwhile.
   */
  private async hold(block: Block): Promise<void> {
    const { chain, clock } = this.options;
    for (;;) {
      const earlyMs = chain.earlyMs(block);
      if (earlyMs <= 0 || this.isStopped || block.header.number <= chain.head().header.number) return;
      await pause(clock, Math.min(earlyMs, HOLD_MS));
    }
  }

  /** Only one at a time, whatever the task; never fails. */
  private async work(source: Peer, task: () => Promise<void>): Promise<void> {
    this.current = { source, startingBlock: this.options.chain.head().header.number };
    try {
      await task();
    } catch (error) {
      this.settle(source, error);
    } finally {
      this.current = undefined;
    }
    this.consider();
  }

  private settle(source: Peer, error: unknown): void {
    const { clock, limits, logger, penalise } = this.options;
    if (error instanceof SyncFault) {
      source.syncBlockedUntilMs = clock.now() + limits.syncPenaltyMs;
      source.syncFaults += 1;
      this.hasFailed = true;
      if (error.penalty !== undefined) penalise(source, error.penalty, error.message);
      logger.debug('blocks of a peer refused', { peer: source.shortId, why: error.message });
      return;
    }
    this.pausedUntilMs = clock.now() + TROUBLE_MS;
    logger.error('blocks of peers cannot be imported', { error });
  }

  private later(delayMs: number): void {
    this.cancelWait();
    this.cancelWait = this.options.clock.schedule(delayMs, () => this.consider());
  }
}
