import { backOffMs } from '@tetrad/types';

/** Penalty points by offence; a peer is cut off at BAN_POINTS, and a point is forgiven each second. */
export const PENALTIES = {
  /** Authenticated bytes that are not a message of the protocol. */
  'undecodable message': 50,
  /** A block that breaks a rule of the chain: no honest node sends one. */
  'invalid block': 100,
  /** Blocks that do not follow from this node's chain, which is final. */
  'blocks of another chain': 100,
  'invalid transaction': 25,
  'invalid consensus message': 25,
  /** It announced a block that it does not have. */
  'false head': 40,
  /** An answer that does not fit the request. */
  'unusable answer': 50,
  /** Headers without valid seals, or parts of a state that have another root: no honest node sends them. */
  'false state': 100,
  /** An answer that did not come in time. */
  'late answer': 10,
  /** More than its share; a busy sender is answered "busy", and not blamed for a while. */
  'too much': 1,
} as const;

export type Penalty = keyof typeof PENALTIES;

export const BAN_POINTS = 100;
const FORGIVEN_PER_SECOND = 1;

/** Penalty points of a peer, and as of when. */
export interface PeerScore {
  readonly points: number;
  readonly atMs: number;
}

export const INITIAL_SCORE: PeerScore = { points: 0, atMs: 0 };

/** The score as of now, after forgiveness. */
export function scoreAt(score: PeerScore, nowMs: number): PeerScore {
  const forgiven = (Math.max(0, nowMs - score.atMs) / 1_000) * FORGIVEN_PER_SECOND;
  return { points: Math.max(0, score.points - forgiven), atMs: nowMs };
}

export function withPenalty(score: PeerScore, penalty: Penalty, nowMs: number): PeerScore {
  const current = scoreAt(score, nowMs);
  return { ...current, points: current.points + PENALTIES[penalty] };
}

/** Length of a cut-off: the first length, doubled for each earlier cut-off. */
export function banLengthMs(
  bansBefore: number,
  { banMs, banCapMs }: { banMs: number; banCapMs: number },
): number {
  return backOffMs(bansBefore + 1, { firstMs: banMs, maxMs: banCapMs });
}
