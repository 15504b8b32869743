export { BftChainRules, bftChainRules } from './bft-chain-rules.js';
export type { BftChain } from './bft-chain.js';
export { startConsensus, type Consensus, type ConsensusOptions, type ConsensusTrouble } from './consensus.js';
export type { ConsensusSettings } from './consensus-settings.js';
export { HeaderChain, type HeaderChainSource, type KnownHeader } from './header-chain.js';
export type { Neighbours, SilenceReport } from './participation.js';
export {
  proposerActivity,
  type ActivityRequest,
  type ProposedChain,
  type ProposerActivity,
} from './proposer-activity.js';
export type { Neighbour } from './silence.js';
export { proveValidators, provenValidators, type NamedAfter } from './proven-validators.js';
export { serveValidators } from './served-validators.js';
export { isSameSet } from './snapshot-rules.js';
export { ValidatorCandidates } from './validator-candidates.js';
