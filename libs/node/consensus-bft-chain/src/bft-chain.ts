import type { ValidatorSnapshot } from '@tetrad/node-consensus-bft';
import type { Ledger } from '@tetrad/node-ledger';
import type { BftChainRules } from './bft-chain-rules.js';

/** A chain whose blocks validators decide on. */
export interface BftChain {
  readonly ledger: Ledger<ValidatorSnapshot>;
  /** Those that the ledger goes by. */
  readonly rules: BftChainRules;
}
