export {
  bftRules,
  namesValidators,
  sortValidators,
  verifyHeader,
  type BftRules,
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
export { chooseVote, type Candidates } from './candidates.js';
export { ConsensusError } from './consensus-error.js';
export { readGenesisValidators } from './genesis-validators.js';
export { ibftVoteFields, readHeaderVote, type AbsentVote } from './header-vote.js';
export {
  decodeIbftExtraData,
  encodeIbftExtraData,
  fitVanity,
  type IbftExtraData,
} from './ibft-extra-data.js';
export { DIFFICULTY, ISTANBUL_MIX_HASH, VANITY_LENGTH } from './params.js';
export {
  decodeQbftExtraData,
  encodeQbftExtraData,
  type QbftExtraData,
  type ValidatorVote,
} from './qbft-extra-data.js';
export { faultTolerance, legacyQuorumOf, quorumOf } from './quorum.js';
export {
  commitDigest,
  committedHeader,
  proposalHeader,
  type ProposalHeaderRequest,
  type ProposalHeader,
} from './block-sealing.js';
export { BftEngine } from './engine/bft-engine.js';
export type {
  BftEngineOptions,
  BftEnginePorts,
  ConsensusLedger,
  ConsensusNetwork,
  MessageVerdict,
} from './engine/engine-ports.js';
export type { CommittedBlock, Effect, Report } from './machine/effects.js';
export type { MachineEvent, TimerName, Verdict } from './machine/events.js';
export type { HeightContext } from './machine/height.js';
export { initialState, type MachineState, type Phase } from './machine/state.js';
export { step } from './machine/step.js';
export type { MachineIdentity } from './machine/transition.js';
export type { ConsensusMessage, MessageKind, ProposedBlock, View } from './messages/consensus-message.js';
export {
  IBFT_CODES,
  decodeIbftMessage,
  decodeIbftSubject,
  encodeIbftMessage,
  encodeIbftSubject,
  encodeUnsignedIbftMessage,
  signIbftMessage,
  type IbftCode,
  type IbftMessage,
  type SignedIbftMessage,
} from './messages/ibft-message.js';
export { decodeMessage, type DecodingLimits } from './messages/message-decoding.js';
export { encodeMessage } from './messages/message-encoding.js';
export { MessageError } from './messages/message-fields.js';
export { MESSAGE_CODES } from './messages/message-signing.js';
export { decodeProposedBlock, type HeaderFormat } from './messages/proposed-block.js';
export { orderProposers, proposerOf, type ProposerPolicy } from './proposer-selection.js';
export { unsignedRecord } from './record/unsigned-record.js';
export { decodeSignedRecord, encodeSignedRecord } from './record/signed-record-rlp.js';
export {
  EMPTY_RECORD,
  recordSigning,
  type SignedRecord,
  type SigningIntent,
} from './record/signed-record.js';
export { roundTimeoutMs } from './round-timeout.js';
export {
  applyBlock,
  isMeaningful,
  snapshotOf,
  tallyOf,
  type CastVote,
  type Tally,
  type ValidatorSnapshot,
  type VotingBlock,
} from './validator-snapshot.js';
