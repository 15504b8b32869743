import type { NodeId, StatePeers, StateSource } from '@tetrad/node-peer';
import { backOffMs, type Clock, type Logger } from '@tetrad/types';
import { SourceError, type SourceFault } from './source-error.js';
import { SourceTurn, type AskedSources } from './source-turn.js';
import { TargetLostError } from './target-lost-error.js';
import { VerifiedSource } from './verified-source.js';

/** How long a peer is not asked after it was unavailable or slow, doubled each time in a row; and after it gave something false. */
const REST = { firstMs: 5_000, maxMs: 600_000 };
/** How often it is looked again for a peer, while none can be asked. */
const LOOK_MS = 250;
/** How often the log says that none can be asked. */
const REMIND_MS = 30_000;
/** Pieces of work that run at the same time, each with a peer of its own. */
const MAX_AT_ONCE = 4;
/** After so many failures in a row nothing waits for a peer that others do not need. */
const BELIEVED_FAILURES = 3;
/** A peer is slow that takes so long, and so many times as long as another one took. */
const SLOW = { ms: 5_000, times: 4 };

export interface SourcePoolOptions {
  readonly peers: Pick<StatePeers, 'sources' | 'ask' | 'blame'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends all work when it is aborted, with its reason. */
  readonly signal: AbortSignal;
}

/** A block of which something is asked for, and whether it is known to exist. */
interface Wanted {
  readonly block: number;
  readonly isSure: boolean;
}

/** Peers that can be asked about the state: each is asked one thing at a time, and another one when it fails. */
export class SourcePool {
  private readonly busy = new Set<string>();
  private readonly restingUntilMs = new Map<NodeId, number>();
  /** Times in a row that a peer was unavailable. */
  private readonly failures = new Map<NodeId, number>();
  /** Time of the last work that was done with a peer, and times in a row that it was slow. */
  private readonly tookMs = new Map<NodeId, number>();
  private readonly delays = new Map<NodeId, number>();
  private remindMs = 0;
  /** Called when a peer has become idle. */
  private readonly waiting = new Set<() => void>();
  private readonly asked: AskedSources = {
    take: async (nodeId) => {
      while (this.busy.has(nodeId)) {
        this.options.signal.throwIfAborted();
        await this.idle();
      }
      this.busy.add(nodeId);
    },
    give: (nodeId) => {
      this.busy.delete(nodeId);
      for (const wake of this.waiting) wake();
    },
  };

  constructor(private readonly options: SourcePoolOptions) {}

  /** Connected peers that may be asked now or later. */
  sources(): readonly StateSource[] {
    const nowMs = this.options.clock.now();
    return this.options.peers
      .sources()
      .filter(({ nodeId }) => (this.restingUntilMs.get(nodeId) ?? 0) <= nowMs);
  }

  /** Connected peers that do not fail again and again, whether they may be asked now or not. */
  believed(): readonly StateSource[] {
    return this.options.peers
      .sources()
      .filter(({ nodeId }) => (this.failures.get(nodeId) ?? 0) < BELIEVED_FAILURES);
  }

  /** How much work is worth beginning at the same time. */
  get width(): number {
    return Math.max(1, Math.min(MAX_AT_ONCE, this.sources().length));
  }

  /**
   * Does the work with one peer after the other, until one has done it; waits while there is none.
   * @param block - peers are asked whose head is this or later
   * @throws TargetLostError when no peer has what is asked for; what else the work throws but SourceError
   */
  run<T>(block: number, work: (source: VerifiedSource) => Promise<T>): Promise<T> {
    return this.runFor({ block, isSure: true }, work);
  }

  /**
   * The same for a block that may not exist: what peers announce is not shown.
   * @throws TargetLostError also when those that announce it fail again and again, and others do not announce it
   */
  runIfThere<T>(block: number, work: (source: VerifiedSource) => Promise<T>): Promise<T> {
    return this.runFor({ block, isSure: false }, work);
  }

  private async runFor<T>(wanted: Wanted, work: (source: VerifiedSource) => Promise<T>): Promise<T> {
    const lacking = new Set<NodeId>();
    for (;;) {
      const source = await this.take(wanted, lacking);
      const turn = new SourceTurn(this.asked, source.nodeId, true);
      const beganMs = this.options.clock.now();
      try {
        const verified = new VerifiedSource(this.options.peers, source, turn);
        const result = await work(verified);
        this.tookMs.set(source.nodeId, this.options.clock.now() - beganMs);
        this.check(source, wanted, verified.isStingy);
        return result;
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        this.note(source, error, lacking);
      } finally {
        turn.give();
      }
    }
  }

  private note({ nodeId, shortId }: StateSource, error: SourceError, lacking: Set<NodeId>): void {
    const { clock, logger } = this.options;
    const { fault, message } = error;
    if (fault === 'missing') lacking.add(nodeId);
    else this.restingUntilMs.set(nodeId, clock.now() + this.restMs(nodeId, fault));
    const values = { peer: shortId, why: message };
    if (fault === 'false') logger.warn('a peer gave a false part of the chain or its state', values);
    else logger.debug('a peer gave no part of the chain or its state', values);
  }

  /** A peer that gave what was asked for, but little or late, is asked later again while there are others. */
  private check({ nodeId, shortId }: StateSource, { block }: Wanted, isStingy: boolean): void {
    const { clock, logger } = this.options;
    const others = this.sources().filter((other) => other.nodeId !== nodeId && isAbove(other, block));
    const tookMs = this.tookMs.get(nodeId) ?? 0;
    // One that was not asked yet may be faster.
    const isLate = others.some((other) => (this.tookMs.get(other.nodeId) ?? 0) * SLOW.times <= tookMs);
    if (!isStingy || others.length === 0) this.failures.delete(nodeId);
    if (isStingy && others.length > 0) {
      this.restingUntilMs.set(nodeId, clock.now() + this.restMs(nodeId, 'unavailable'));
      logger.debug('a peer is of little help for now', { peer: shortId, why: 'it gave a few of many' });
    } else if (tookMs >= SLOW.ms && isLate) {
      // It is believed further: others may have less.
      const delays = (this.delays.get(nodeId) ?? 0) + 1;
      this.delays.set(nodeId, delays);
      this.restingUntilMs.set(nodeId, clock.now() + backOffMs(delays, REST));
      logger.debug('a peer is of little help for now', { peer: shortId, why: 'it is slow' });
    } else this.delays.delete(nodeId);
  }

  private restMs(nodeId: NodeId, fault: SourceFault): number {
    if (fault === 'false') {
      this.failures.set(nodeId, BELIEVED_FAILURES);
      return REST.maxMs;
    }
    const failures = (this.failures.get(nodeId) ?? 0) + 1;
    this.failures.set(nodeId, failures);
    return backOffMs(failures, REST);
  }

  /** An idle peer, which is busy then. */
  private async take(wanted: Wanted, lacking: ReadonlySet<NodeId>): Promise<StateSource> {
    const { block } = wanted;
    for (;;) {
      this.options.signal.throwIfAborted();
      const open = this.sources().filter((source) => isAbove(source, block) && !lacking.has(source.nodeId));
      if (open.length === 0) this.assertHope(wanted, lacking);
      const idle = open.find(({ nodeId }) => !this.busy.has(nodeId));
      if (idle !== undefined) {
        this.busy.add(idle.nodeId);
        return idle;
      }
      if (open.length === 0) this.remind(block);
      await this.idle();
    }
  }

  /** Resolves when a peer has become idle, or it is time to look again. */
  private idle(): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        cancel();
        this.waiting.delete(wake);
        resolve();
      };
      const cancel = this.options.clock.schedule(LOOK_MS, wake);
      this.waiting.add(wake);
    });
  }

  /** @throws TargetLostError when no peer that rests is worth waiting for, and others show that there is nothing */
  private assertHope({ block, isSure }: Wanted, lacking: ReadonlySet<NodeId>): void {
    const believed = this.believed();
    if (believed.some((source) => isAbove(source, block) && !lacking.has(source.nodeId))) return;
    const isAnswered = isSure ? this.sources().some((source) => isAbove(source, block)) : believed.length > 0;
    if (isAnswered) throw new TargetLostError(`no connected peer has what is asked for of block ${block}`);
  }

  private remind(block: number): void {
    const { clock, logger, peers } = this.options;
    if (clock.now() < this.remindMs) return;
    this.remindMs = clock.now() + REMIND_MS;
    logger.info('waiting for peers from which the state can be taken', {
      block,
      connected: peers.sources().length,
    });
  }
}

function isAbove({ head }: StateSource, block: number): boolean {
  return head !== undefined && head.number >= block;
}
