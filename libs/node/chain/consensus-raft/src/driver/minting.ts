import { EtcdError } from '@tetrad/node-etcd';
import type { Clock, Logger, Turns } from '@tetrad/types';
import type { BlockLog, Fence } from '../log/block-log.js';
import type { LogBlock } from '../log/log-block.js';
import type { LogKeys } from '../log/log-keys.js';
import { encodeNumber } from '../log/log-records.js';
import type { LogStore } from '../log/log-store.js';
import type { KnownMember } from '../log/log-view.js';
import { LeaseKeeper } from './lease-keeper.js';
import type { LogFollower } from './log-follower.js';
import type { MintedBlock, Minter } from './minter.js';

/** A block of more transactions than this is followed by one that waits longer. */
const BUSY_SIZE = 32;
/** Beyond this, no block waits for more transactions. Units: ms */
const MAX_BUSY_BLOCK_TIME_MS = 400;

/**
 * Time from a block to the next of the same minter, in ms. Each block costs every node a transaction of its database and
 * new hashes up to the root, whatever it holds; under load, blocks become fewer and larger instead.
 */
export function blockTimeAfter(size: number, blockTimeMs: number): number {
  const busyMs = Math.min((blockTimeMs * size) / BUSY_SIZE, MAX_BUSY_BLOCK_TIME_MS);
  return Math.max(blockTimeMs, busyMs);
}

export interface MintingOptions<Block extends LogBlock> {
  readonly store: LogStore;
  readonly keys: LogKeys;
  readonly log: BlockLog<Block>;
  readonly follower: Pick<LogFollower<Block>, 'view' | 'hears' | 'isAtHead'>;
  readonly minter: Minter<Block>;
  /** Node id of this node, 128 hex digits. */
  readonly nodeId: string;
  /** Least time between two blocks of this minter; more under load. Units: ms */
  readonly blockTimeMs: number;
  /** Time after which a silent minter is replaced. Units: seconds */
  readonly leaseSeconds: number;
  /** Whether peers have blocks that the log lacks, so that it must not be built on. */
  readonly isBehindPeers: () => boolean;
  readonly turns: Turns;
  readonly clock: Clock;
  readonly logger: Logger;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** Candidates wait for a random part of it, so that they do not all campaign at once. */
const SPREAD_MS = 150;
/** How long a minter that failed to mint leaves the role to other nodes. */
const SIT_OUT_MS = 5_000;
/** How soon a node writes again after etcd refused a write. */
const REFUSED_RETRY_MS = 500;

/** Campaigns for minter when the role is free, and mints while this node holds it. */
export class Minting<Block extends LogBlock> {
  private readonly lease: LeaseKeeper;
  private isPaused = false;
  private isStopped = false;
  private isStanding = false;
  private isMinting = false;
  private nextMintMs = 0;
  private sitsOutUntilMs = 0;
  /** Why etcd refused the last write of this node; undefined when it did not. */
  private refusal: { readonly reason: string; readonly retryMs: number } | undefined;
  private forgetWork: () => void = () => undefined;
  private abort = new AbortController();

  constructor(private readonly options: MintingOptions<Block>) {
    const { store, keys, clock, logger, leaseSeconds } = options;
    this.lease = new LeaseKeeper({
      store,
      ttlSeconds: leaseSeconds,
      clock,
      logger,
      aliveKey: () => {
        const own = this.own();
        return own === undefined ? undefined : keys.alive(own.raftId);
      },
      onChange: () => this.consider(),
    });
    this.forgetWork = options.minter.onWork(() => this.consider());
  }

  get isActive(): boolean {
    return !this.isPaused;
  }

  /** Why this node cannot mint although etcd answers; undefined when it can, or another node does. */
  trouble(): string | undefined {
    const { follower, minter } = this.options;
    if (this.refusal === undefined) return undefined;
    const wantsToWrite =
      follower.view.minter === undefined || (this.term() !== undefined && minter.hasWork());
    return wantsToWrite ? `etcd does not take what this node writes: ${this.refusal.reason}` : undefined;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.abort.abort();
    this.forgetWork();
    await this.options.turns.end();
    await this.lease.stop();
  }

  /** Stops minting and campaigning. Resolves when no block is being built. */
  async pause(): Promise<void> {
    this.isPaused = true;
    this.abort.abort();
    await this.options.turns.take(() => this.resign());
  }

  resume(): void {
    this.isPaused = false;
    this.abort = new AbortController();
    this.consider();
  }

  /** Called on changes: campaigns or mints when that is due. */
  consider(): void {
    const { follower, clock, turns, minter, random } = this.options;
    if (this.isStopped || !follower.hears) return;
    this.lease.start();
    if (this.isPaused) return;
    if (!this.isStanding && this.canStand()) {
      this.isStanding = true;
      clock.schedule(
        Math.max(random() * SPREAD_MS, this.refusedMs()),
        () => void turns.take(() => this.stand()),
      );
    }
    if (!this.isMinting && this.term() !== undefined && minter.hasWork()) {
      this.isMinting = true;
      const waitMs = Math.max(this.nextMintMs - clock.now(), this.refusedMs());
      clock.schedule(waitMs, () => void turns.take(() => this.mint()));
    }
  }

  /** Pause before the next write to etcd. */
  private refusedMs(): number {
    return Math.max(0, (this.refusal?.retryMs ?? 0) - this.options.clock.now());
  }

  private noteRefusal({ kind, message: reason }: EtcdError): void {
    // The watch reports the outcome.
    if (kind === 'unknown-outcome') return;
    this.refusal = { reason, retryMs: this.options.clock.now() + REFUSED_RETRY_MS };
  }

  /** This node among the members. */
  private own(): KnownMember | undefined {
    return this.options.follower.view.memberOfNode(this.options.nodeId);
  }

  /** A node that lags would mint on a block that already has a successor. */
  private canBuild(): boolean {
    const { follower, isBehindPeers } = this.options;
    if (this.isStopped || this.isPaused || isBehindPeers()) return false;
    return follower.hears && follower.isAtHead && follower.view.hasQuorum;
  }

  private canStand(): boolean {
    const { follower, clock } = this.options;
    if (this.own()?.kind !== 'voter' || follower.view.minter !== undefined) return false;
    return this.lease.current() !== undefined && clock.now() >= this.sitsOutUntilMs && this.canBuild();
  }

  private async stand(): Promise<void> {
    const { store, keys } = this.options;
    try {
      const [lease, own] = [this.lease.current(), this.own()];
      if (!this.canStand() || lease === undefined || own === undefined) return;
      await store.transact({
        compare: [
          { key: keys.minter, target: 'create', revision: 0n },
          { key: keys.member(own.raftId), target: 'mod', revision: own.revision },
        ],
        success: [{ kind: 'put', key: keys.minter, value: encodeNumber(own.raftId), lease }],
      });
      // The watch reports the new minter.
      this.refusal = undefined;
    } catch (error) {
      if (error instanceof EtcdError) this.noteRefusal(error);
      else this.options.logger.error('campaigning for minter failed', { error });
    } finally {
      this.isStanding = false;
      this.considerSoon();
    }
  }

  /** The fence for appends; undefined when this node is not the minter, or cannot know whether it still is. */
  private term(): Fence | undefined {
    const { minter } = this.options.follower.view;
    const own = this.own();
    if (minter === undefined || own === undefined || minter.raftId !== own.raftId) return undefined;
    if (own.kind !== 'voter' || minter.lease !== this.lease.current()) return undefined;
    return { raftId: own.raftId, minterRevision: minter.revision, memberRevision: own.revision };
  }

  private async mint(): Promise<void> {
    try {
      const term = this.term();
      if (term === undefined || !this.canBuild()) return;
      const minted = await this.options.minter.mint(term, this.abort.signal);
      if (minted === undefined) return;
      this.nextMintMs = this.options.clock.now() + blockTimeAfter(minted.size, this.options.blockTimeMs);
      await this.append(minted, term);
    } catch (error) {
      if (error instanceof EtcdError) this.noteRefusal(error);
      // Another node may succeed.
      else await this.sitOut(error);
    } finally {
      this.isMinting = false;
      this.considerSoon();
    }
  }

  private async append({ block, store }: MintedBlock<Block>, term: Fence): Promise<void> {
    const outcome = await this.options.log.append(block, term);
    this.refusal = undefined;
    if (outcome === 'appended') return store();
    // The watch delivers the block in its place, or the block itself when its append happens later.
    const { number } = block.header;
    this.options.logger.info('a minted block is not in the log', { number, outcome });
  }

  private async sitOut(error: unknown): Promise<void> {
    const { logger, clock } = this.options;
    logger.error('minting a block failed, so this node resigns as minter', { error });
    this.sitsOutUntilMs = clock.now() + SIT_OUT_MS;
    await this.resign();
  }

  private async resign(): Promise<void> {
    const term = this.term();
    if (term === undefined) return;
    const { store, keys, logger } = this.options;
    await store
      .transact({
        compare: [{ key: keys.minter, target: 'create', revision: term.minterRevision }],
        success: [{ kind: 'delete', key: keys.minter }],
      })
      // Otherwise another node becomes minter when the lease ends.
      .catch((error: unknown) => logger.warn('resigning as minter failed', { error }));
  }

  /** Considers minting again after a block time, for work that no event announces, such as transactions left over. */
  private considerSoon(): void {
    this.options.clock.schedule(this.options.blockTimeMs, () => this.consider());
  }
}
