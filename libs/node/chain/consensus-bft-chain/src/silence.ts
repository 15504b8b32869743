import { faultTolerance, quorumOf } from '@tetrad/node-consensus-bft';
import type { Address } from '@tetrad/types';

/** Heights above the one that is open when the node has caught up at which it still signs nothing. */
const HEIGHTS_AFTER_OPEN = 4;
/** How long heads for which too few validators vouch are believed while the node gets no nearer, and missing validators awaited. */
const PATIENCE_MS = 30_000;
/** A head that is younger by so much when it comes shows that the node was behind. */
const NEARER_MS = 5_000;
/** How long a quorum of validators among the peers is awaited: there may be none where other nodes relay. */
const QUORUM_PATIENCE_MS = 120_000;
/** How long the only validator of a network waits for its peers, and one of two for the other. */
const SHORT_PATIENCE_MS = 5_000;
/** Longest rounds that the chain may stand although enough of the others are heard, some of which may only pretend. */
const ROUNDS_HEARD = 10;

/** A connected node. */
export interface Neighbour {
  readonly address: Address;
  /** Number of its newest block; undefined before it said so. */
  readonly head: number | undefined;
  /** Whether it says that it does not know what its key signed at the height after its head. */
  readonly isUnrecorded: boolean;
}

/** What a node without a record sees at a moment. */
export interface Surroundings {
  readonly nowMs: number;
  readonly head: number;
  /** Timestamp of the head. */
  readonly headTimeMs: number;
  /** Validators of the block after the head. */
  readonly validators: readonly Address[];
  readonly peers: readonly Neighbour[];
  /** Validators from which messages of the open height or above were received. */
  readonly heard: ReadonlySet<Address>;
  /** When the next block is due, and the longest round of its height. */
  readonly dueMs: number;
  readonly longestRoundMs: number;
}

/**
 * Why the silence is over: the network is new; the node has followed far enough; a whole network begins without records;
 * the others cannot decide without this node.
 */
export type SilenceEnd = 'newNetwork' | 'followed' | 'noneRecorded' | 'needed';

/** It does not know the head of the network; it lacks blocks; it follows at the head. */
export type SilenceStage = 'waiting' | 'behind' | 'silent';

export type SilenceVerdict =
  | { readonly isOver: true; readonly why: SilenceEnd }
  /** @param stage - changes of it are worth a line in the log */
  | { readonly isOver: false; readonly stage: SilenceStage; readonly reason: string };

/**
 * When a node whose database has no record of its key may sign (docs/adr/0142).
 *
 * Its database may have been lost, or restored from a backup: the key may have signed at any height up to the one that the
 * network decides now. It follows until it has the head of the others, and stays silent for the open height and some after.
 *
 * Which heads count:
 *
 * - Its own. It has verified these blocks with their seals.
 * - The highest head that f + 1 validators claim, where f may be faulty. A correct one has it, so the node waits until it has
 *   it too, without a limit.
 * - All other claims, by any peers, for half a minute from when the node knows enough peers. A true claim turns into
 *   blocks of the past: each time the newest block is younger than any before by five seconds when it arrives, the half
 *   minute begins again. Blocks that the network decides meanwhile are all of about the same age when they arrive, so they
 *   prolong nothing.
 *
 * Safe: the key has signed nothing above the height that was open when its database was lost. It signs again five blocks
 * after a head that no f + 1 validators exceed and that no connected peer extends by blocks of the past. If a correct
 * validator among those peers has all blocks that were decided before the loss but the last four, that is above everything
 * the key has signed, and it cannot contradict itself. Of four validators or more, every quorum includes one if none is faulty.
 *
 * Live: faulty validators, up to f, and any number of other peers cannot prolong the silence beyond these bounds: two minutes until
 * the node knows enough peers; the time it takes to get the blocks that f + 1 validators have; half a minute, and half a minute
 * more for every five seconds that its first head was older than the newest one is; five blocks. Where no block comes, it ends
 * at block 0; where all validators begin without records; and once for two of the longest rounds a quorum is connected of which
 * too few are heard to decide without this node, or for ten such rounds enough are heard, but not if f of them are faulty. Then
 * at most as many validators contradict themselves as have lost their records. Consensus survives that while they and the faulty
 * ones together are at most f.
 */
export class Silence {
  private caughtUp: { readonly head: number; readonly atMs: number } | undefined;
  private lastHead: number;
  private movedMs: number;
  /** Since when heads that too few vouch for are believed; undefined before the node knows enough peers. */
  private believedMs: number | undefined;
  /** Of the head when it came, at steps of `NEARER_MS`. */
  private leastAgeMs: number;
  /** Since when enough others are heard to decide without this node. */
  private heardMs: number | undefined;
  private readonly sinceMs: number;

  constructor(
    private readonly options: {
      readonly address: Address;
      readonly nowMs: number;
      readonly head: number;
      readonly headTimeMs: number;
      /** Whether peers are configured. */
      readonly expectsPeers: boolean;
    },
  ) {
    this.sinceMs = options.nowMs;
    this.movedMs = options.nowMs;
    this.lastHead = options.head;
    this.leastAgeMs = options.nowMs - options.headTimeMs;
  }

  /** Called with each change, and now and then. */
  consider(surroundings: Surroundings): SilenceVerdict {
    if (surroundings.head !== this.lastHead) this.noteHead(surroundings);
    if (this.caughtUp === undefined) {
      const obstacle = this.obstacle(surroundings);
      if (obstacle !== undefined) return obstacle;
      this.caughtUp = { head: surroundings.head, atMs: surroundings.nowMs };
    }
    return this.check(surroundings, this.caughtUp);
  }

  /** A block of the past shows that the node was behind, whatever it knew of its peers; there may be more. */
  private noteHead({ nowMs, head, headTimeMs }: Surroundings): void {
    this.lastHead = head;
    this.movedMs = nowMs;
    const ageMs = nowMs - headTimeMs;
    if (ageMs > this.leastAgeMs - NEARER_MS) return;
    this.leastAgeMs = ageMs;
    this.caughtUp = undefined;
    if (this.believedMs !== undefined) this.believedMs = nowMs;
  }

  /** What the node waits for before it knows the head of the network. */
  private obstacle(surroundings: Surroundings): SilenceVerdict | undefined {
    const { nowMs, head, peers } = surroundings;
    if (!this.knowsEnough(surroundings))
      return {
        isOver: false,
        stage: 'waiting',
        reason: 'it does not know the heads of enough other validators',
      };
    this.believedMs ??= nowMs;
    const best = Math.max(head, ...peers.map((peer) => peer.head ?? 0));
    const isBehind = this.isBehind(surroundings) || (best > head && nowMs - this.believedMs < PATIENCE_MS);
    return isBehind
      ? { isOver: false, stage: 'behind', reason: `it has block ${head} and its peers have ${best}` }
      : undefined;
  }

  private knowsEnough(surroundings: Surroundings): boolean {
    const { nowMs, head, validators, peers } = surroundings;
    const waitedMs = nowMs - this.sinceMs;
    const isKnown = peers.some((peer) => peer.head !== undefined);
    if (validators.every((one) => one === this.options.address))
      return waitedMs >= SHORT_PATIENCE_MS || (head === 0 && (isKnown || !this.options.expectsPeers));
    const own = this.isMember(surroundings) ? 1 : 0;
    if (this.claims(surroundings).length + own >= quorumOf(validators.length)) return true;
    return isKnown && waitedMs >= QUORUM_PATIENCE_MS;
  }

  private check(
    surroundings: Surroundings,
    caughtUp: { readonly head: number; readonly atMs: number },
  ): SilenceVerdict {
    const { head } = surroundings;
    if (head === 0) return { isOver: true, why: 'newNetwork' };
    if (head - caughtUp.head > HEIGHTS_AFTER_OPEN) return { isOver: true, why: 'followed' };
    if (this.isNoneRecorded(surroundings, caughtUp.atMs)) return { isOver: true, why: 'noneRecorded' };
    if (this.isNeeded(surroundings, caughtUp.atMs)) return { isOver: true, why: 'needed' };
    const last = caughtUp.head + 1 + HEIGHTS_AFTER_OPEN;
    return { isOver: false, stage: 'silent', reason: `it signs again after block ${last}` };
  }

  /** Whether all validators that are there stand at this head without a record, as when a network is moved or restored. */
  private isNoneRecorded(surroundings: Surroundings, caughtUpMs: number): boolean {
    const { nowMs, head, validators, peers } = surroundings;
    if (!this.isMember(surroundings)) return false;
    const present = peers.filter(({ address }) => validators.includes(address));
    if (!present.every((peer) => peer.isUnrecorded && peer.head === head)) return false;
    const count = present.length + 1;
    const isWhole = count === new Set(validators).size;
    return isWhole || (count >= quorumOf(validators.length) && nowMs - caughtUpMs >= PATIENCE_MS);
  }

  /** Whether a quorum is there, and the chain has stood for longer than the others would take without this node. */
  private isNeeded(surroundings: Surroundings, caughtUpMs: number): boolean {
    const { nowMs, validators, peers, heard, dueMs } = surroundings;
    const { address: own } = this.options;
    const others = validators.filter((one) => one !== own);
    const isThere = (one: Address) => heard.has(one) || peers.some(({ address }) => address === one);
    const quorum = quorumOf(validators.length);
    const heardCount = others.filter((one) => heard.has(one)).length;
    this.heardMs = heardCount < quorum ? undefined : (this.heardMs ?? nowMs);
    if (!this.isMember(surroundings) || this.isBehind(surroundings)) return false;
    if (others.filter(isThere).length + 1 < quorum) return false;
    // These are enough even if as many of them lie as may.
    if (heardCount >= quorum + faultTolerance(validators.length)) return false;
    const stoodMs = nowMs - Math.max(caughtUpMs, this.movedMs, dueMs, this.heardMs ?? 0);
    return stoodMs >= this.patienceMs(surroundings, others.length < quorum);
  }

  /** One of two is always needed, so that the chain stands until it signs. */
  private patienceMs({ longestRoundMs }: Surroundings, isAlwaysNeeded: boolean): number {
    if (isAlwaysNeeded) return SHORT_PATIENCE_MS;
    return (this.heardMs === undefined ? 2 : ROUNDS_HEARD) * longestRoundMs;
  }

  /** Whether more validators say that they are ahead than may be faulty. */
  private isBehind(surroundings: Surroundings): boolean {
    const claims = this.claims(surroundings).sort((a, b) => b - a);
    return (claims[faultTolerance(surroundings.validators.length)] ?? 0) > surroundings.head;
  }

  /** The heads of other validators, one of each. */
  private claims({ validators, peers }: Surroundings): number[] {
    const heads = new Map(peers.map(({ address, head }) => [address, head]));
    heads.delete(this.options.address);
    return [...new Set(validators)].map((one) => heads.get(one)).filter((head) => head !== undefined);
  }

  private isMember({ validators }: Surroundings): boolean {
    return validators.includes(this.options.address);
  }
}
