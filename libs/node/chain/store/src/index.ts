export type {
  StoredBlock,
  BlockWrite,
  ChainIdentity,
  FoundLog,
  HashedBytes,
  LogQuery,
  StoredLog,
  PlacedTransaction,
  PooledTransaction,
  StoredPooledTransaction,
  TransactionPlace,
  StoredTransaction,
} from './ledger-rows.js';
export type {
  AgreementBlock,
  AgreementContract,
  AgreementPair,
  AgreementState,
  KeyPair,
  OpenBlock,
} from './agreement-rows.js';
export { AgreementStore, type AgreementCounts } from './agreement-store.js';
export type { KnownPair } from './hot/find-agreement.js';
export type { BusyBlock } from './hot/list-agreement.js';
export type { StatedBlocks } from './hot/state-blocks.js';
export type { DivergedContract } from './diverged-contracts.js';
export type { RepairNotice, RepairPermit, RepairSummary, StoredRepair } from './repair-rows.js';
export { RepairStore, type RepairCounts } from './repair-store.js';
export { AddressIndexStore, type AddressIndexHead, type AddressRow } from './address-index-store.js';
export type { ActiveExtension, ExtensionChanges, StoredExtension, KnownExtension } from './extension-rows.js';
export { ConsensusRecords } from './consensus-records.js';
export type { StoredFlatEntry, FlatWrite } from './flat-state-rows.js';
export { FlatStateStore, type FlatRows } from './flat-state-store.js';
export { GroupedBlocks, type GroupLimits } from './grouped-blocks.js';
export type { JoinedRows } from './joined-rows.js';
export { LogDataError } from './hot/find-logs.js';
export { LedgerStoreError } from './ledger-store-error.js';
export { openLedgerStore, type LedgerStore } from './ledger-store.js';
export { PrivateStateStore } from './private-state-store.js';
export type {
  PrivateBlockWrite,
  StoredPrivateContract,
  PrivateHead,
  StoredPrivateReceipt,
} from './private-rows.js';
export { StateHistoryStore, type StateEpoch, type StateHistory } from './state-history-store.js';
export {
  StateSyncStore,
  type HeaderWrite,
  type PastWrite,
  type StatePart,
  type StatePartWrite,
  type StateRepair,
  type StateSyncProgress,
} from './state-sync-store.js';
export { UnexecutedRows } from './unexecuted-rows.js';
export { PoolJournal } from './pool-journal.js';
export type { StoredConsensusRecord, StoredSnapshot, ValidatorChange, OpenVote } from './validator-rows.js';
export type { ValidatorReplacement } from './validator-replacement.js';
export { ValidatorStore, validatorRows } from './validator-store.js';
export { BackupRows, type StoredChain } from './backup-rows.js';
export { SIGNED_RECORDS, nodeTables, isPrivateTable } from './backup-tables.js';
