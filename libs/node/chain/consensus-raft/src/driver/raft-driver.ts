import { Turns } from '@tetrad/types';
import { BlockLog } from '../log/block-log.js';
import type { BlockCodec, LogBlock } from '../log/log-block.js';
import type { LogView } from '../log/log-view.js';
import { LogFollower } from './log-follower.js';
import type { LogFollowerOptions } from './log-follower-options.js';
import { DEFAULT_LOG_LIMITS, LogKeeping, type LogLimits } from './log-keeping.js';
import { Minting, type MintingOptions } from './minting.js';
import { ReasonLog, type RaftReason } from './raft-reasons.js';

/** Options that the driver passes to its parts itself. */
type Inner = 'log' | 'turns' | 'onChange' | 'follower' | 'isBehindPeers' | 'keptBlocks';

/** The announced head of a peer. */
export interface PeerHead {
  readonly nodeId: string;
  readonly number: number;
}

export interface RaftDriverOptions<Block extends LogBlock>
  extends Omit<LogFollowerOptions<Block>, Inner>, Omit<MintingOptions<Block>, Inner> {
  readonly codec: BlockCodec<Block>;
  /** The announced heads of peers. */
  readonly peerHeads: () => readonly PeerHead[];
  readonly logLimits?: LogLimits | undefined;
}

/** A block of a member is in the log as well, and the watch reports it sooner than this. */
const LATE_MS = 5_000;

/** Follows the log in etcd that orders the chain, and mints while this node is minter (docs/spec/raft.md). */
export class RaftDriver<Block extends LogBlock> {
  private readonly turns = new Turns();
  private readonly follower: LogFollower<Block>;
  private readonly minting: Minting<Block>;
  private readonly keeping: LogKeeping<Block>;
  private readonly reasonLog: ReasonLog;
  /** Since when the log with this head is below that of a member. */
  private behind: { readonly head: number; readonly sinceMs: number } | undefined;

  constructor(private readonly options: RaftDriverOptions<Block>) {
    const { store, keys, codec } = options;
    const log = new BlockLog(store, keys, codec);
    const shared = { ...options, log, turns: this.turns };
    const limits = options.logLimits ?? DEFAULT_LOG_LIMITS;
    this.follower = new LogFollower({
      ...shared,
      keptBlocks: limits.keptBlocks,
      onChange: () => {
        this.minting.consider();
        this.keeping.consider();
      },
    });
    this.keeping = new LogKeeping({ ...shared, follower: this.follower, limits });
    this.minting = new Minting({
      ...shared,
      follower: this.follower,
      isBehindPeers: () => this.isBehindPeers(),
    });
    this.reasonLog = new ReasonLog({ ...options, reasons: () => this.reasons() });
  }

  start(): void {
    this.follower.start();
    this.reasonLog.start();
  }

  async stop(): Promise<void> {
    this.reasonLog.stop();
    await this.follower.stop();
    await this.minting.stop();
  }

  /** Stops minting and campaigning. Resolves when no block is being built. */
  pause(): Promise<void> {
    return this.minting.pause();
  }

  resume(): void {
    this.minting.resume();
  }

  get isActive(): boolean {
    return this.minting.isActive;
  }

  /** The control keys of the log. */
  state(): LogView {
    return this.follower.view;
  }

  /** Whether `state` is known to be current. */
  get hears(): boolean {
    return this.follower.hears;
  }

  /** Whether a block must come from a member, as the log no longer has it. */
  wantsFromPeers(number: number): boolean {
    return this.follower.wantsFromPeers(number);
  }

  /** Whether it may be this one. */
  mayTakeFromPeers(block: LogBlock): boolean {
    return this.follower.mayTakeFromPeers(block);
  }

  /** Why no blocks are followed or minted, or will not be: all that holds, the most important first. */
  reasons(): readonly RaftReason[] {
    const ofFollower = this.follower.reasons();
    // What an old view says need not hold any more.
    if (this.follower.isSilent) return ofFollower;
    const others = {
      member: this.troubleOfMember(),
      head: this.troubleOfHead(),
      writes: this.minting.trouble(),
      minter: this.troubleOfMinter(),
      pruning: this.keeping.trouble(),
    };
    const holding = Object.entries(others).flatMap(([name, text]) =>
      text === undefined ? [] : [{ name, text }],
    );
    return [...ofFollower, ...holding];
  }

  private troubleOfMember(): string | undefined {
    const { view } = this.follower;
    const { nodeId } = this.options;
    if (view.wasRemoved(nodeId)) return 'this node was removed from the raft cluster';
    return view.memberOfNode(nodeId) === undefined
      ? 'this node is not a member of the raft cluster; a voter adds it with raft_addPeer or raft_addLearner'
      : undefined;
  }

  private troubleOfMinter(): string | undefined {
    const { minter, hasQuorum } = this.follower.view;
    if (!hasQuorum) return 'no more than half of the voters run, so no block is minted';
    if (minter !== undefined) return undefined;
    return 'no leader is currently elected';
  }

  /** Reports a head that stays below that of a member. */
  private troubleOfHead(): string | undefined {
    const nowMs = this.options.clock.now();
    const ends = this.follower.view.head?.number ?? 0;
    if (!this.isBehindPeers()) this.behind = undefined;
    else if (this.behind?.head !== ends) this.behind = { head: ends, sinceMs: nowMs };
    if (this.behind === undefined || nowMs - this.behind.sinceMs < LATE_MS) return undefined;
    return `the log in etcd ends at block ${ends}, and a member has block ${this.newestOfMembers()}: etcd was set back`;
  }

  /** Members may have blocks that a restored log lacks. A false height of any other peer must not stop the chain. */
  private isBehindPeers(): boolean {
    return this.newestOfMembers() > (this.follower.view.head?.number ?? 0);
  }

  private newestOfMembers(): number {
    const { view } = this.follower;
    return this.options
      .peerHeads()
      .filter(({ nodeId }) => view.memberOfNode(nodeId) !== undefined)
      .reduce((newest, { number }) => Math.max(newest, number), 0);
  }
}
