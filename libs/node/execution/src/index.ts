export { defaultGenesis, DEFAULT_GAS_LIMIT, type DefaultGenesisOptions } from './genesis/default-genesis.js';
export type { BftConfig, ConsensusConfig, RaftConfig } from './genesis/consensus-config.js';
export type { BeneficiaryMode, Transition, ValidatorSelection } from './genesis/transitions.js';
export { CURRENT_RULES, rulesAt, type ForkName, type ForkRules, type ForkSchedule } from './genesis/forks.js';
export { GenesisError } from './genesis/genesis-error.js';
export { parseGenesis, type Genesis, type GenesisAccount } from './genesis/genesis.js';
export type { BlockContext } from './executor/block-context.js';
export { estimateGas, type GasEstimate } from './executor/estimate-gas.js';
export { accessListOf, effectiveGasPrice, maxGasPrice } from './executor/executable-transaction.js';
export {
  assertWellFormed,
  createExecutor,
  maximumCost,
  type Executor,
  type TransactionEffects,
} from './executor/executor.js';
export {
  InvalidTransactionError,
  type InvalidTransactionReason,
} from './executor/invalid-transaction-error.js';
export { ExecutionAbortedError } from './executor/machine.js';
export {
  applyOverrides,
  call,
  type AccountOverride,
  type CallOutcome,
  type CallRequest,
  type Simulation,
  type StateOverrides,
} from './executor/simulate.js';
export { traceCalls, type CallFrame, type CallTraceOptions } from './executor/trace-calls.js';
export { traceTransaction, type StructLog, type Trace, type TraceOptions } from './executor/trace.js';
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
  type AccountState,
} from './state/read-account.js';
export {
  DEFAULT_STATE_CACHE_LIMITS,
  StateDatabase,
  UnknownStateRootError,
  type StateCacheLimits,
  type StateSource,
} from './state/state-database.js';
export type { StateChanges } from './state/state-changes.js';
export type { StateReader } from './state/state-reader.js';
export { MissingTrieNodeError } from './state/trie.js';
export { WorldState } from './state/world-state.js';
export { decodeStoredTransaction, decodeTransaction } from './transaction/decode-transaction.js';
export { TransactionDecodeError } from './transaction/transaction-decode-error.js';
export {
  createTransactionDecoder,
  type SenderThread,
  type TransactionDecoder,
  type TransactionDecoderOptions,
} from './transaction/transaction-decoder.js';
