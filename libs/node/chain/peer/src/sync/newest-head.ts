import type { Address } from '@tetrad/types';
import type { Head } from '../wire/handshake-messages.js';

/** What a connected peer says of its chain. */
export interface HeadClaim {
  readonly address: Address;
  readonly head: Head | undefined;
}

/**
 * The newest block that the peers vouch for: of the heads of connected validators the highest one, left out as many as
 * may lie, a third of them. A block is decided by more validators than that, so that an honest one remains. Without
 * validators among the peers, the same of all.
 *
 * @returns undefined while no peer has announced a head
 */
export function newestHead(claims: readonly HeadClaim[], validators: readonly Address[]): number | undefined {
  const known = new Set(validators);
  const ofValidators = claims.filter(({ address }) => known.has(address));
  const [checked, size] = ofValidators.length > 0 ? [ofValidators, known.size] : [claims, claims.length + 1];
  const numbers = checked
    .flatMap(({ head }) => (head === undefined ? [] : [head.number]))
    .sort((one, other) => other - one);
  const mayLie = Math.floor((size - 1) / 3);
  return numbers[Math.min(mayLie, numbers.length - 1)];
}
