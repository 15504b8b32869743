export { Code, EMPTY_CODE } from './code/code.js';
export { CodeCache } from './code/code-cache.js';
export {
  FORK_NAMES,
  type ForkName,
  type Pace,
  type Precompile,
  type PrecompileOutput,
  type Precompiles,
} from '@tetrad/node-precompiles';
export { rulesOf } from './forks/rules-of.js';
export type { OpcodeRule, Rules } from './forks/rules.js';
export type { BlockContext } from './interpreter/block-context.js';
export { FAILURE } from './interpreter/failure.js';
export type { Frame, FrameKind } from './interpreter/frame.js';
export type { AnsweredMessage, FrameOutcome, Hooks, MessageCall, Transfer } from './interpreter/hooks.js';
export type { StepListener } from './interpreter/evm-interface.js';
export { addressOfCreation } from './interpreter/created-address.js';
export { Evm, SLICE_GAS, type EvmOptions, type Pause } from './interpreter/evm.js';
export { drive } from './transaction/drive.js';
export { executeCall, type CallOutcome, type CallRequest } from './transaction/execute-call.js';
export { endTransaction } from './transaction/end-transaction.js';
export { includePrivateTransaction } from './transaction/include-private.js';
export {
  contractAddressOf,
  executeTransaction,
  toLog,
  type TransactionEffects,
} from './transaction/execute-transaction.js';
export { ExecutionAbortedError, type ExecutionContext } from './transaction/execution-context.js';
export { accessListOf, effectiveGasPrice, maxGasPrice, maximumCost } from './transaction/fees.js';
export { messageGas, type GasSubject, type MessageGas } from './transaction/intrinsic-gas.js';
export {
  InvalidTransactionError,
  type InvalidTransactionCode,
} from './transaction/invalid-transaction-error.js';
export { prefetch, prepare, type Participants, type Request } from './transaction/prepare.js';
export { startMessage, type StartMessage } from './transaction/start-message.js';
export { assertWellFormed } from './transaction/validity.js';
export {
  addressFromWord,
  hashFromWord,
  toWord,
  wordFromAddress,
  wordFromBytes,
  wordFromHash,
  wordToBytes,
  type Word,
} from './word/word.js';
export { WordTable, type TableEntry } from './word/word-table.js';
export { Account, type AccountFields } from './world/account.js';
export { Journal, type EvmLog } from './world/journal.js';
export { MemorySource, type PreState } from './world/memory-source.js';
export type { AccountRecord, Missing, StateSource, Supply } from './world/state-source.js';
export type { Slot } from './world/slot.js';
export { trieRoot } from './world/trie-root.js';
export { World, type AccountChange, type SlotChange } from './world/world.js';
