import type { ValidatorSnapshot } from '@tetrad/node-consensus-bft';
import type { Ledger } from '@tetrad/node-ledger';
import type { BftChainRules } from './bft-chain-rules.js';

/** A chain whose blocks validators decide. */
export interface BftChain {
  readonly ledger: Ledger<ValidatorSnapshot>;
  /** The rules that the ledger uses. */
  readonly rules: BftChainRules;
}
