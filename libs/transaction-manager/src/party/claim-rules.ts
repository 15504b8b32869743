/** A manager that proves a key, or did. */
export interface Side {
  /** Whether the proof names its URL (docs/adr/0154). */
  readonly bound: boolean;
  /** Whether its URL is one of `--peers`. */
  readonly configured: boolean;
}

/**
 * What becomes of a key that another manager than its holder has just proved: it moves, it stays, or the holder is asked
 * first.
 *
 * A bound proof is the word of the holder of the private key, so it wins over one that may have been relayed, and is not
 * given up for one: a relay would only have to leave out the header. The operator decides by configuring the peer.
 */
export function checkClaim(holder: Side, claimant: Side): 'take' | 'stay' | 'ask' {
  if (claimant.bound && !holder.bound) return 'take';
  if (holder.bound && !claimant.bound && !claimant.configured) return 'stay';
  return 'ask';
}

/**
 * Whether the key moves although its holder still proves it.
 * @param holder - by what it proves now
 */
export function prevails(claimant: Side, holder: Side): boolean {
  return rank(claimant) > rank(holder);
}

function rank({ bound, configured }: Side): number {
  return (bound ? 2 : 0) + (configured ? 1 : 0);
}
