export type { ChainError } from './chain-error.js';
export { LogError, readEvents, type PlacedEvent } from './contract-events.js';
export {
  ContractFollower,
  DeepReorganisationError,
  type ChainPage,
  type FollowerOptions,
  type PageStore,
} from './contract-follower.js';
export {
  ChainRpcError,
  ChainUnavailableError,
  EthereumClient,
  type BlockName,
  type StateName,
  type EthereumClientOptions,
  revertDataOf,
} from './ethereum-client.js';
export type {
  EthereumBlock,
  EthereumCall,
  EthereumFullBlock,
  EthereumLog,
  EthereumReceipt,
  EthereumTransaction,
} from './ethereum-methods.js';
export { bumpedFees, firstFees, type FeeMarket, type Fees } from './fees.js';
export { findAnnouncement, type FreezeCaller, type FreezeParts } from './freeze/find-announcement.js';
export { causeText, type FreezeCause } from './freeze/freeze-call.js';
export {
  callerText,
  freezeText,
  readFreeze,
  type FreezeHistory,
  type FrozenContract,
} from './freeze/read-freeze.js';
export { createdAddress, isCreatedBefore } from './known/created-address.js';
export { immutableOf, readDeploymentTerms, type DeploymentTerms } from './known/deployment-terms.js';
export {
  KNOWN_CONTRACTS_FILE,
  loadKnownContracts,
  type KnownContracts,
  type KnownRollup,
  type KnownVerifier,
} from './known/known-contracts.js';
export {
  ContradictionError,
  isMaskedCode,
  maskedValues,
  type MaskedCode,
  type MaskedValues,
} from './known/masked-code.js';
export { nextPageBlocks, nextRange, type BlockRange, type ChainCursor } from './page-rule.js';
export {
  RollupReader,
  type DueTimes,
  type ReadBlock,
  type RequestRecord,
  type RollupConstants,
  type RollupHead,
} from './rollup-reader.js';
export { ArtifactError } from './contract/artifact-error.js';
export { readAnnouncedKeys } from './contract/operator-keys.js';
export { readMinDeposit } from './contract/min-deposit.js';
export {
  DEFAULT_STALL_TIMEOUT_SECONDS,
  deployRollup,
  deployedTerms,
  type CreateContract,
  type RollupOptions,
} from './contract/deploy-rollup.js';
export { BATCH_LAYOUT, hasConsents, readBatchLayout, type BatchLayout } from './contract/batch-layout.js';
export { BatchDataError, decodeOperations, encodeOperations } from './contract/batch-operations.js';
export { gasLimitOf, largestGasLimitOf } from './contract/gas-limit.js';
export { verifierOf } from './contract/verifier-of-chain.js';
export { readExitRules, type ExitRules } from './contract/exit-rules.js';
export {
  PART_OF_ACCEPTED,
  SPEED_OF_REQUESTS,
  capacityPerTimeout,
  operationsPerTimeout,
  ratePerTimeout,
  type ServingTerms,
} from './contract/request-load.js';
export { publishedBatch, type PublishedBatch } from './contract/published-batch.js';
export { RollupCodec } from './contract/rollup-contract.js';
export type {
  AcceptedBatch,
  AddedToken,
  FrozenRollup,
  Payment,
  RegisteredTransfer,
  RequestedOperation,
  RequestedTransfer,
  RollupEvent,
  Withdrawal,
} from './contract/rollup-events.js';
export {
  stateProofValues,
  type AccountProof,
  type BalanceProof,
  type OrderProof,
  type ProvedClaim,
  type ProvedRedemption,
  type ProvedTransfer,
} from './contract/state-proofs.js';
