export { defaultGenesis, type DefaultGenesisOptions } from './genesis/default-genesis.js';
export type { BftConfig, ConsensusConfig, DefaultTimes, RaftConfig } from './genesis/consensus-config.js';
export { limitsAt, type ChainLimits, type LimitChange } from './genesis/chain-limits.js';
export { RULE_SETS, type RuleSet } from './genesis/rule-set.js';
export { rewardAccountAt, type RewardAccount } from './genesis/reward-account.js';
export type { Transition, ValidatorSelection } from './genesis/transitions.js';
export { FORK_NAMES, rulesAt, type ForkName, type ForkRules, type ForkSchedule } from './genesis/forks.js';
export { describeForks, type ForkDescription, type ForkDescriptions } from './genesis/describe-forks.js';
export { GenesisError } from './genesis/genesis-error.js';
export { parseGenesis, type Genesis, type GenesisAccount } from './genesis/genesis.js';
export type { BlockContext } from './executor/block-context.js';
export type {
  MayTransact,
  TransactionBarrier,
  TransactionIntent,
  TransactionPlace,
} from './executor/may-transact.js';
export { overrideBlock, type BlockOverrides } from './executor/block-overrides.js';
export { simulateTransaction, type SimulatedRun, ETHER_ADDRESS } from './executor/simulated-transaction.js';
export { assertWellFormed, transactionGasCap } from './executor/validity.js';
export type { ExecutionError } from './executor/execution-error.js';
export { estimateGas, type GasEstimate } from './executor/estimate-gas.js';
export {
  contextOf,
  createExecutor,
  type ContextRules,
  type ExecutionOptions,
  type Executor,
} from './executor/executor.js';
export {
  ExecutionAbortedError,
  InvalidTransactionError,
  accessListOf,
  effectiveGasPrice,
  maxGasPrice,
  maximumCost,
  type InvalidTransactionCode,
  type TransactionEffects,
} from '@tetrad/node-evm';
export {
  call,
  messageOf,
  outcomeOf,
  stageOf,
  type CallOutcome,
  type CallRequest,
  type MessageStage,
  type SimulatedWorld,
  type Simulation,
} from './executor/simulate.js';
export { applyOverrides, type AccountOverride, type StateOverrides } from './executor/state-overrides.js';
export {
  StorageTooLargeError,
  dumpAccounts,
  readStorageRange,
  type DumpBounds,
  type ListedAccount,
  type StatePage,
  type StorageRange,
} from './state/dump-accounts.js';
export { modifiedAccounts, type ModifiedAccounts } from './state/modified-accounts.js';
export { orderedDifference, type EntryDifference, type KeyRange } from './state/ordered-difference.js';
export type { DifferenceBounds } from './state/trie-difference.js';
export { SuppliedState, supplyOf, type Supplied } from './state/supplied-state.js';
export { loadAccount } from './state/load.js';
export { creditAccount, genesisState } from './state/genesis-state.js';
export { orderedTrieRoot } from './state/ordered-root.js';
export {
  dumpAccount,
  findAccount,
  proveAccount,
  readCode,
  readSlot,
  readStorageRoot,
  type AccountDump,
  type AccountProof,
} from './state/read-account.js';
export {
  flatChanges,
  flatEntries,
  flatSlot,
  type FlatChanges,
  type FlatEntry,
  type FlatSource,
} from './state/flat-state.js';
export {
  DEFAULT_STATE_CACHE_LIMITS,
  StateDatabase,
  UnknownStateRootError,
  type StateCacheLimits,
} from './state/state-database.js';
export { decodeAccount, type StoredAccount } from './state/stored-account.js';
export type { StateChanges } from './state/state-changes.js';
export { readRange, type RangeBounds } from './state/ranges/read-range.js';
export { RangeProofError, type RangeQuestion, type TrieRange } from './state/ranges/trie-range.js';
export type { HashedNode } from './state/ranges/proof-nodes.js';
export { verifyRange, type VerifiedRange } from './state/ranges/verify-range.js';
export {
  WitnessRecorder,
  WitnessTooLargeError,
  witnessedState,
  type StateWitness,
  type WitnessBounds,
} from './state/witness.js';
export { StateWalk } from './state/state-walk.js';
export type { StateReader } from './state/state-reader.js';
export type { StateError } from './state/state-error.js';
export { MissingTrieNodeError } from './state/trie.js';
export { NodeCache, type StateSource } from './state/node-cache.js';
export { pendingStorageRoot } from './state/commit-changes.js';
export type { AccountState, WorldState } from './state/world-state.js';
export {
  isPrivateTransaction,
  decodeStoredTransaction,
  decodeTransaction,
  TransactionDecodeError,
} from './transaction/decode-transaction.js';
export { DecodedTransactions } from './transaction/decoded-transactions.js';
export {
  createTransactionDecoder,
  type SenderThread,
  type TransactionDecoder,
  type TransactionDecoderOptions,
} from './transaction/transaction-decoder.js';
