import type { Address, Hash } from '@tetrad/types';
import type { HeaderFormat } from '../messages/proposed-block.js';
import { orderProposers, proposerOf, type ProposerPolicy } from '../proposer-selection.js';
import { faultTolerance, quorumOf } from '../quorum.js';
import { roundTimeoutMs } from '../round-timeout.js';

/** The chain's context of the block to be decided. */
export interface HeightContext {
  readonly height: number;
  readonly parentHash: Hash;
  /** Author of the parent; zero for block 0. */
  readonly lastAuthor: Address;
  /** The set after the parent. */
  readonly validators: readonly Address[];
  readonly format: HeaderFormat;
  readonly policy: ProposerPolicy;
  /** When a block may be made, and when an empty one may; milliseconds since the epoch. */
  readonly periodEndsMs: number;
  readonly idleEndsMs: number;
  readonly requestTimeoutMs: number;
  /** 0 when the chain sets none. */
  readonly maxRequestTimeoutMs: number;
}

/** The context with derived values. */
export interface Height extends HeightContext {
  readonly members: ReadonlySet<Address>;
  /** ceil(2N/3). */
  readonly quorum: number;
  /** F+1: this many validators cannot all be faulty. */
  readonly notAllFaulty: number;
  proposerAt(round: number): Address | undefined;
  timeoutMs(round: number): number;
}

export function createHeight(context: HeightContext): Height {
  const { validators, format, lastAuthor, policy } = context;
  const members = new Set(validators);
  const ordered = orderProposers([...members], format);
  return {
    ...context,
    members,
    quorum: quorumOf(members.size),
    notAllFaulty: faultTolerance(members.size) + 1,
    proposerAt: (round) => proposerOf(ordered, { lastAuthor, round, policy }),
    timeoutMs: (round) => roundTimeoutMs(context, round),
  };
}
