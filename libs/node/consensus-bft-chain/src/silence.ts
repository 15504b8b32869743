import { faultTolerance, quorumOf } from '@tetrad/node-consensus-bft';
import type { Address } from '@tetrad/types';

/** Heights above the one that is open when the node has caught up at which it still signs nothing. */
const HEIGHTS_AFTER_OPEN = 4;
/** How long peers that say they are ahead are believed while no block comes of it, and missing validators awaited. */
const PATIENCE_MS = 30_000;
/** How long a quorum of validators among the peers is awaited: there may be none where other nodes relay. */
const QUORUM_PATIENCE_MS = 120_000;
/** How long the only validator of a network waits for its peers, and one of two for the other. */
const SHORT_PATIENCE_MS = 5_000;

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
  /** Of the block after the head. */
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
  /** In: stage — changes of it are worth a line in the log */
  | { readonly isOver: false; readonly stage: SilenceStage; readonly reason: string };

/**
 * When a node whose database has no record of its key may sign (docs/adr/0142).
 *
 * Its database may have been lost, or restored from a backup: the key may have signed at any height up to the one that the
 * network decides now. It follows until it has the head of the others, and stays silent for the open height and some after.
 *
 * A network must not lock itself, so silence also ends where no block can come of it: in a new network, in one whose
 * validators all begin without records, and when a quorum is there that cannot be one without this node. Then at most as
 * many validators may contradict themselves as have lost their records, which consensus survives while they are fewer than
 * a third. A false head of validators keeps a node silent only if more of them claim it than may be faulty; one that another peer
 * claims counts while blocks come, and half a minute longer.
 */
export class Silence {
  private caughtUp: { readonly head: number; readonly atMs: number } | undefined;
  private lastHead: number;
  private movedMs: number;
  private readonly sinceMs: number;

  constructor(
    private readonly options: {
      readonly address: Address;
      readonly nowMs: number;
      readonly head: number;
      /** Whether peers are configured. */
      readonly expectsPeers: boolean;
    },
  ) {
    this.sinceMs = options.nowMs;
    this.movedMs = options.nowMs;
    this.lastHead = options.head;
  }

  /** Called with each change, and now and then. */
  consider(around: Surroundings): SilenceVerdict {
    if (around.head !== this.lastHead) this.movedMs = around.nowMs;
    this.lastHead = around.head;
    if (this.caughtUp === undefined) {
      const obstacle = this.obstacle(around);
      if (obstacle !== undefined) return obstacle;
      this.caughtUp = { head: around.head, atMs: around.nowMs };
    }
    return this.judge(around, this.caughtUp);
  }

  /** What the node waits for before it knows the head of the network. */
  private obstacle(around: Surroundings): SilenceVerdict | undefined {
    const { nowMs, head, peers } = around;
    if (!this.knowsEnough(around))
      return {
        isOver: false,
        stage: 'waiting',
        reason: 'it does not know the heads of enough other validators',
      };
    const best = Math.max(head, ...peers.map((peer) => peer.head ?? 0));
    const isBehind = this.isBehind(around) || (best > head && nowMs - this.movedMs < PATIENCE_MS);
    return isBehind
      ? { isOver: false, stage: 'behind', reason: `it has block ${head} and its peers have ${best}` }
      : undefined;
  }

  private knowsEnough(around: Surroundings): boolean {
    const { nowMs, head, validators, peers } = around;
    const waitedMs = nowMs - this.sinceMs;
    const isKnown = peers.some((peer) => peer.head !== undefined);
    if (validators.every((one) => one === this.options.address))
      return waitedMs >= SHORT_PATIENCE_MS || (head === 0 && (isKnown || !this.options.expectsPeers));
    const own = this.isMember(around) ? 1 : 0;
    if (this.claims(around).length + own >= quorumOf(validators.length)) return true;
    return isKnown && waitedMs >= QUORUM_PATIENCE_MS;
  }

  private judge(
    around: Surroundings,
    caughtUp: { readonly head: number; readonly atMs: number },
  ): SilenceVerdict {
    const { head } = around;
    if (head === 0) return { isOver: true, why: 'newNetwork' };
    if (head - caughtUp.head > HEIGHTS_AFTER_OPEN) return { isOver: true, why: 'followed' };
    if (this.isNoneRecorded(around, caughtUp.atMs)) return { isOver: true, why: 'noneRecorded' };
    if (this.isNeeded(around, caughtUp.atMs)) return { isOver: true, why: 'needed' };
    const last = caughtUp.head + 1 + HEIGHTS_AFTER_OPEN;
    return { isOver: false, stage: 'silent', reason: `it signs again after block ${last}` };
  }

  /** Whether all validators that are there stand at this head without a record, as when a network is moved or restored. */
  private isNoneRecorded(around: Surroundings, caughtUpMs: number): boolean {
    const { nowMs, head, validators, peers } = around;
    if (!this.isMember(around)) return false;
    const present = peers.filter(({ address }) => validators.includes(address));
    if (!present.every((peer) => peer.isUnrecorded && peer.head === head)) return false;
    const count = present.length + 1;
    const isWhole = count === new Set(validators).size;
    return isWhole || (count >= quorumOf(validators.length) && nowMs - caughtUpMs >= PATIENCE_MS);
  }

  /** Whether a quorum is there, and for two of the longest rounds too few of it were heard to decide without this node. */
  private isNeeded(around: Surroundings, caughtUpMs: number): boolean {
    const { nowMs, validators, peers, heard, dueMs, longestRoundMs } = around;
    if (!this.isMember(around) || this.isBehind(around)) return false;
    const others = validators.filter((one) => one !== this.options.address);
    const quorum = quorumOf(validators.length);
    // One of two is always needed, so that the chain stands until it signs.
    const patienceMs = others.length < quorum ? SHORT_PATIENCE_MS : 2 * longestRoundMs;
    if (nowMs < Math.max(caughtUpMs, this.movedMs, dueMs) + patienceMs) return false;
    const isThere = (one: Address) => heard.has(one) || peers.some(({ address }) => address === one);
    return (
      others.filter(isThere).length + 1 >= quorum && others.filter((one) => heard.has(one)).length < quorum
    );
  }

  /** Whether more validators say that they are ahead than may be faulty. */
  private isBehind(around: Surroundings): boolean {
    const claims = this.claims(around).sort((a, b) => b - a);
    return (claims[faultTolerance(around.validators.length)] ?? 0) > around.head;
  }

  private claims({ validators, peers }: Surroundings): number[] {
    return peers.flatMap(({ address, head }) =>
      head !== undefined && validators.includes(address) ? [head] : [],
    );
  }

  private isMember({ validators }: Surroundings): boolean {
    return validators.includes(this.options.address);
  }
}
