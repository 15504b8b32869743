import type { Hash, PtmKey } from '@tetrad/types';
import { stateDigest, type ContractState } from './contract-state.js';

/** Keys of parties by what they say of a state of a contract. */
export interface StateVerdict {
  readonly confirmed: readonly PtmKey[];
  readonly contradicted: readonly PtmKey[];
  readonly silent: readonly PtmKey[];
}

/**
 * Compares what parties state of a contract with one state of it, each party by its key, in the order of the keys.
 *
 * @param wanted - digest of the state to which the others are compared
 * @param parties - those that were asked
 * @param stated - undefined for a party that states nothing
 * @returns each party once
 */
export function compareStated(
  wanted: Hash,
  parties: readonly PtmKey[],
  stated: (party: PtmKey) => ContractState | undefined,
): StateVerdict {
  const confirmed: PtmKey[] = [];
  const contradicted: PtmKey[] = [];
  const silent: PtmKey[] = [];
  for (const party of new Set(parties)) {
    const state = stated(party);
    if (state === undefined) silent.push(party);
    else (stateDigest(state) === wanted ? confirmed : contradicted).push(party);
  }
  return { confirmed, contradicted, silent };
}
