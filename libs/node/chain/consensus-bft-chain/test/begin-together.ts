import type { Ledger } from '@tetrad/node-ledger';
import type { ValidatorSnapshot } from '@tetrad/node-consensus-bft';
import type { Address } from '@tetrad/types';
import type { Neighbours } from '../src/index.js';

/** The other validators of a network in which all begin without records at the head of this one. */
export function beginTogether(ledger: Ledger<ValidatorSnapshot>, own: Address): Neighbours {
  return {
    list: () => {
      const head = ledger.head().header.number;
      const others = ledger.snapshot().validators.filter((address) => address !== own);
      return others.map((address) => ({ address, head, isUnrecorded: true }));
    },
    areExpected: false,
    announceUnrecorded: () => undefined,
  };
}
