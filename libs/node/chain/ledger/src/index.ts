export type { BadBlock } from './bad-blocks.js';
export { BlockDraft } from './block-draft.js';
export type { BlockExecution, ExecutedBlock } from './block-execution.js';
export { BlockPhases } from './block-phases.js';
export { minedAt, minedLogs, minedReceipts, receiptRows } from './block-rows.js';
export type {
  BlockReward,
  ConsensusRules,
  HeaderConditions,
  NextBlock,
  NextContext,
  StateAfterBlock,
} from './consensus-rules.js';
export { draftHeader } from './draft-header.js';
export { assertChainStarts } from './chain-start.js';
export { blockZeroOf } from './genesis-block.js';
export { HeaderVerifier } from './header-verifier.js';
export { isFaultOfBlock } from './fault-of-block.js';
export { importPriority, type ImportSight } from './import-priority.js';
export { importOffered, type OfferOutcome } from './import-offered.js';
export { BlockHorizon } from './history/block-horizon.js';
export { ServedPast } from './serving/served-past.js';
export { ServedState } from './serving/served-state.js';
export { StatePruning, type StatePruningOptions } from './history/state-pruning.js';
export type { BlockJoin } from './block-storage.js';
export type { BlockListener } from './chain-head.js';
export { Ledger } from './ledger.js';
export type { LedgerOptions } from './ledger-parts.js';
export { WrongGenesisError, openLedger } from './open-ledger.js';
export { PendingState, type PendingStateOptions } from './pending-state.js';
export { StateWarming, type StateWarmingOptions } from './state-warming.js';
export { simulateChain } from './simulation/simulate-chain.js';
export type {
  BlockRequest,
  SimulatedBlock,
  SimulatedCall,
  SimulatedOutcome,
  SimulationOptions,
} from './simulation/simulated-block.js';
export { ChainFile } from './chain-file/chain-file.js';
export { ChainFileError, ChainImportError } from './chain-file/chain-file-error.js';
export {
  importChainFiles,
  type ChainImportOptions,
  type ImportCounts,
} from './chain-file/import-chain-files.js';
export { ImportProgress, type ImportReport } from './chain-file/import-progress.js';
