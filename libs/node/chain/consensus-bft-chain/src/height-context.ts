import type { HeightContext } from '@tetrad/node-consensus-bft';
import { ZERO_ADDRESS } from '@tetrad/types';
import type { BftChain } from './bft-chain.js';

const MS = 1000;

/** Periods that an operator sets in place of those of the genesis file. */
export interface PeriodChoice {
  readonly blockPeriodMs: number | undefined;
}

/** When the block after the head may be made, and when an empty one; milliseconds since the epoch. */
export interface DueTimes {
  readonly periodEndsMs: number;
  readonly idleEndsMs: number;
  /** Minimum time for waiting transactions when the block is late. Units: ms */
  readonly leastFillMs: number;
  /** Units: ms */
  readonly periodMs: number;
}

/**
 * When the next block is due: a period after its parent, and never before its timestamp may be.
 *
 * Header timestamps have a resolution of seconds. Periods of whole seconds count from the parent's timestamp, so that
 * all validators agree on them; others count from the parent's turn, by this node's clock.
 *
 * @param parentTurnMs - as `turnOf` returns it
 */
export function dueTimes({ ledger, rules }: BftChain, choice: PeriodChoice, parentTurnMs: number): DueTimes {
  const { header } = ledger.head();
  const parentMs = rules.timeMsOf(header);
  const settings = rules.settingsAt(header.number + 1);
  const demandedMs = parentMs + Math.floor(settings.blockPeriodMs / MS) * MS;
  const after = (periodMs: number) => {
    const from = periodMs % MS === 0 ? parentMs : parentTurnMs;
    return Math.max(demandedMs, from + periodMs);
  };
  const periodMs = choice.blockPeriodMs ?? settings.blockPeriodMs;
  const periodEndsMs = after(periodMs);
  return {
    periodEndsMs,
    idleEndsMs: Math.max(periodEndsMs, after(settings.emptyBlockPeriodMs)),
    leastFillMs: periodMs / 2,
    periodMs,
  };
}

/**
 * The time from which the period after a block counts: when it was due, if it was seen soon after that. The time that a
 * block takes from its turn until other nodes have it is then not added to every period; a late block starts a new
 * schedule. Blocks are never faster than the period, since a turn is at least a period after that of the block before.
 * @param block.dueMs - of the block, by this node's clock, milliseconds since the epoch
 * @param block.seenMs - of the block, by this node's clock, milliseconds since the epoch
 */
export function turnOf(block: { readonly dueMs: number; readonly seenMs: number }, periodMs: number): number {
  const lateMs = block.seenMs - block.dueMs;
  return lateMs > 0 && lateMs <= periodMs / 2 ? block.dueMs : block.seenMs;
}

/** The consensus context of the block after the head. */
export function heightContext(
  { ledger, rules }: BftChain,
  times: Pick<DueTimes, 'periodEndsMs' | 'idleEndsMs'>,
): HeightContext {
  const { hash, header } = ledger.head();
  const height = header.number + 1;
  const { engine, proposerPolicy, requestTimeoutMs, maxRequestTimeoutMs } = rules.settingsAt(height);
  return {
    height,
    parentHash: hash,
    // Block 0 has no proposer.
    lastAuthor: header.number === 0 ? ZERO_ADDRESS : rules.proposerOf(header),
    validators: ledger.snapshot().validators,
    format: engine,
    policy: proposerPolicy,
    ...times,
    requestTimeoutMs,
    maxRequestTimeoutMs,
  };
}
