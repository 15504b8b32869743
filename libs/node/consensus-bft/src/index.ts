export {
  bftRules,
  namesValidators,
  sortValidators,
  verifyHeader,
  type BftRules,
  type SealRequest,
  type VerifyHeaderRequest,
} from './bft-rules.js';
export {
  hashHeader,
  ibftBlockHash,
  ibftCommitDigest,
  ibftProposerDigest,
  ibftSealHash,
  qbftBlockHash,
  qbftCommitDigest,
} from './block-hash.js';
export { ConsensusError } from './consensus-error.js';
export { decodeHeader, encodeHeader, headerFields } from './header-rlp.js';
export {
  decodeIbftExtraData,
  encodeIbftExtraData,
  fitVanity,
  type IbftExtraData,
} from './ibft-extra-data.js';
export {
  DIFFICULTY,
  EMPTY_OMMERS_HASH,
  EMPTY_REQUESTS_HASH,
  EMPTY_ROOT,
  ISTANBUL_MIX_HASH,
  VANITY_LENGTH,
} from './params.js';
export {
  decodeQbftExtraData,
  encodeQbftExtraData,
  type QbftExtraData,
  type ValidatorVote,
} from './qbft-extra-data.js';
export { faultTolerance, legacyQuorumOf, quorumOf } from './quorum.js';
