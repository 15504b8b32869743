export { PAYLOAD_HASH_BYTES, payloadHash, payloadHashOf, type PayloadHash } from './payload/payload-hash.js';
export type { KnownParties } from './payload/recent-parties.js';
export type { PayloadAnswer, PayloadSource, PrivacyFlag, PrivatePayload } from './payload/payload-source.js';
export { ManagerPayloads } from './payload/manager-payloads.js';
export { PendingExtensions, type ExtensionSource } from './extension/pending-extensions.js';
export { ManagerSharedStates } from './extension/manager-shared-states.js';
export {
  MAX_SHARED_STATE_BYTES,
  decodeSharedState,
  encodeSharedState,
  type SharedState,
} from './extension/shared-state.js';
export { MAX_SHARED_SLOTS, dumpContract, withSlots, type DumpedContract } from './extension/dump-contract.js';
export { StoredRepairs } from './repair/stored-repairs.js';
export { isWholeState } from './repair/is-whole-state.js';
export type { DueRepair, DueRepairs, RepairSource } from './repair/repair-source.js';
export type { SharedStateCheck, SharedStateOffer } from './extension/shared-state-check.js';
export type { Known, SharedStates } from './extension/shared-states.js';
export { PendingMetadata, type MetadataSource, type PrivacyMetadata } from './metadata/privacy-metadata.js';
export {
  PRIVACY_PRECOMPILE,
  executePrivateBlock,
  hasPrivateWork,
  isMarker,
  type PrivateBlockOutcome,
  type PrivateBlockParts,
  innerPermission,
} from './execution/private-block.js';
export { readMarkedTransaction, type DecodeTransaction } from './execution/marked-transaction.js';
export { calledContracts } from './execution/check-contracts.js';
export { runPrivateMessage, type PrivateMessage } from './execution/run-private-message.js';
export type { PrivateReceipt } from './execution/private-receipt.js';
export { stateValidationRoot, storedRoots, type StorageRoots } from './execution/state-validation-root.js';
export { groupNonceAccount, groupContractAddress, type GroupSender } from './restricted/group-sender.js';
export {
  RestrictedDecodeError,
  decodeRestricted,
  readRestricted,
  type RestrictedTransaction,
} from './restricted/restricted-transaction.js';
export { TwoWorlds, overBothWorlds } from './execution/two-worlds.js';
export { backupHeight, type BackupHeight } from './following/backup-height.js';
export { missedBlocks, type MissedBlocks } from './following/missed-blocks.js';
export { PrivateFollowing, type PrivateFollowingParts, type Replay } from './following/private-following.js';
export { StoredMetadata } from './following/stored-metadata.js';
export { everHasPrivacyFlags, privacySwitches, type PrivacySwitches } from './following/privacy-switches.js';
export { ChainReceipts, type ChainReceiptsParts, type PublicReceipts } from './reading/chain-receipts.js';
export { groupNonce } from './reading/group-nonce.js';
export { PrivateStateView, type PrivateStateViewParts, type Wanted } from './reading/private-state-view.js';
export { PrivateReplay, type PrivateReplayParts } from './reading/private-replay.js';
export { loadManagementCode } from './management/load-management-code.js';
export {
  managementCreation,
  managementReads,
  managementWrites,
  readAnswer,
} from './management/management-calls.js';
export { readManagementEvent, type ManagementEvent } from './management/management-events.js';
export {
  ChainFollower,
  ForeignFollowerError,
  type ChainFollowerOptions,
  type FollowerPause,
} from './follower/chain-follower.js';
export type { FollowOutcome, FollowedBlock, FollowedChain, Following } from './follower/followed-chain.js';
export { waitWhileMoving, type Arrival, type MovingFollower } from './follower/wait-while-moving.js';
export type { Waited } from './follower/waiters.js';
export type { PrivateResult } from './execution/private-execution.js';
