export type { AccountEvent, ReceivedOrder } from './account-event.js';
export {
  AccountRecovery,
  RecoveryError,
  type AccountKeys,
  type RecoverableBatch,
} from './account-recovery.js';
export { accountAfter, type AccountStep } from './account-step.js';
export {
  accountHash,
  balanceOf,
  balanceTree,
  isReadable,
  type Account,
  type KnownAccount,
  type ProvedAccount,
} from './account.js';
export {
  applyBatch,
  assembleBatch,
  type AssembledStep,
  type Batch,
  type BatchPlan,
  type BatchView,
  type Result,
} from './batch.js';
export {
  creditAfter,
  directOrder,
  readCredit,
  type CreditBatch,
  type PublicCredit,
  type ReadCredit,
} from './credit.js';
export { batchReads, type BatchReads } from './batch-reads.js';
export {
  AMOUNT_LIMIT,
  executeOperation,
  type Effects,
  type Execution,
  type ExecutionView,
  type RejectionReason,
  type StateView,
} from './execution.js';
export { HistoryFrontier, frontierNodes } from './history-frontier.js';
export { MemoryState } from './memory-state.js';
export {
  MerkleTree,
  pathPositions,
  rootOfPath,
  treeOfLeaves,
  type NodePosition,
  type NodeReader,
  type NodeWrite,
} from './merkle-tree.js';
export { moneyOrderOfWords } from './money-order-words.js';
export { PublicState, PublicStateError, leavesOf, type PublicBatch } from './public-state.js';
export { PublicRoots } from './public-roots.js';
export { publicOperation } from './public-operation.js';
export { proveAccount, proveBalance, proveOrder } from './state-proofs.js';
export {
  touchedAccountId,
  type Credit,
  type InboundTransfer,
  type RollupOperation,
} from './rollup-operation.js';
export {
  ACCOUNT_TREE_DEPTH,
  BALANCE_TREE_DEPTH,
  HISTORY_TREE_DEPTH,
  MAX_ACCOUNTS,
  MAX_TOKENS,
  ORDER_TREE_DEPTH,
  emptyRoot,
  emptyStateRoot,
  hashPair,
  stateRoot,
} from './tree-shape.js';
