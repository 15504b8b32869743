import type { NoncePosition } from '@tetrad/signer-store';
import type { ClientChain } from './sequence-client.js';
import { MAX_BELIEVED_JUMP, type NonceManagerTiming } from './params.js';

/**
 * What a client's count is, beside the position of the sequence:
 *
 * expected — what our transactions explain
 * ahead    — a few transactions of other senders, or the first count of a sequence; believed when the client repeats it
 * jump     — more than that
 * behind   — less than was mined, by transactions that we still have
 * set-back — less than that
 */
export type CountKind = 'expected' | 'ahead' | 'jump' | 'behind' | 'set-back';

/** Compares a client's count with the position of the sequence. */
export function kindOfCount(count: bigint, { next, mined, floor, explained }: NoncePosition): CountKind {
  if (count < floor) return 'set-back';
  if (count < mined) return 'behind';
  const unexplained = count - next - explained;
  if (unexplained <= 0n) return 'expected';
  const isFirst = next === 0n && mined === 0n;
  return isFirst || unexplained <= MAX_BELIEVED_JUMP ? 'ahead' : 'jump';
}

/** Why a client's count is doubted; `wrong-chain-id`: it has another chain id than what we sign. */
export type DoubtReason = 'jump' | 'set-back' | 'other-chain' | 'wrong-chain-id';

/** A doubt about the client's count of a nonce sequence. */
export interface CountDoubt {
  readonly reason: DoubtReason;
  /** By the clock of the process. */
  readonly sinceMs: number;
  /** Lowest count since then. */
  readonly lowest: bigint;
}

/** The reason to doubt a count that is not the expected one; undefined when it is believed. */
export function reasonForDoubt(
  kind: Exclude<CountKind, 'expected' | 'ahead'>,
  { asked, known }: { readonly asked: ClientChain; readonly known: ClientChain },
): DoubtReason | undefined {
  if (asked.chainId !== undefined && asked.chainId !== known.chainId) return 'wrong-chain-id';
  const isOther = asked.genesis !== undefined && known.genesis !== undefined;
  if (isOther && asked.genesis !== known.genesis) return 'other-chain';
  return kind === 'behind' ? undefined : kind;
}

/** The doubt after one more count: an old one goes on while its reason is the same. */
export function doubtAfter(
  previous: CountDoubt | undefined,
  { reason, count, nowMs }: { readonly reason: DoubtReason; readonly count: bigint; readonly nowMs: number },
): CountDoubt {
  if (previous?.reason !== reason) return { reason, sinceMs: nowMs, lowest: count };
  return { ...previous, lowest: count < previous.lowest ? count : previous.lowest };
}

/** No nonce is assigned meanwhile. After a set-back the next nonces stay those that were never used, so sends go on. */
export function isHeldBack(doubt: CountDoubt | undefined): boolean {
  return doubt !== undefined && doubt.reason !== 'set-back';
}

/** How long a doubt lasts until the client is believed all the same. */
export function patienceMs(
  { reason }: CountDoubt,
  { jumpPatienceMs, resetGraceMs }: Pick<NonceManagerTiming, 'jumpPatienceMs'> & { resetGraceMs: number },
): number {
  switch (reason) {
    case 'jump':
      return jumpPatienceMs;
    case 'set-back':
    case 'other-chain':
      return resetGraceMs;
    case 'wrong-chain-id':
      return Number.POSITIVE_INFINITY;
  }
}
