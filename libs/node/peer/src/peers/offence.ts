/** Points of what a peer may do wrong; at BAN_POINTS it is cut off, and a point is forgiven each second. */
export const OFFENCES = {
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
  /** An answer that is not one to the question. */
  'unusable answer': 50,
  /** An answer that did not come in time. */
  'late answer': 10,
  /** More than its share; a busy sender is told to wait and is believed for a while. */
  'too much': 1,
} as const;

export type Offence = keyof typeof OFFENCES;

export const BAN_POINTS = 100;
const FORGIVEN_PER_SECOND = 1;

/** What a peer has against it, and as of when. */
export interface Conduct {
  readonly points: number;
  readonly atMs: number;
}

export const GOOD_CONDUCT: Conduct = { points: 0, atMs: 0 };

/** The conduct as of now. */
export function conductAt(conduct: Conduct, nowMs: number): Conduct {
  const forgiven = (Math.max(0, nowMs - conduct.atMs) / 1_000) * FORGIVEN_PER_SECOND;
  return { points: Math.max(0, conduct.points - forgiven), atMs: nowMs };
}

export function withOffence(conduct: Conduct, offence: Offence, nowMs: number): Conduct {
  const current = conductAt(conduct, nowMs);
  return { ...current, points: current.points + OFFENCES[offence] };
}

/** Length of a cut-off: the first one, doubled for each that came before. */
export function banLengthMs(
  bansBefore: number,
  { banMs, banCapMs }: { banMs: number; banCapMs: number },
): number {
  return Math.min(banCapMs, banMs * 2 ** Math.min(bansBefore, 32));
}
