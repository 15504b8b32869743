export { adminMethods, type PeerInfo } from './admin.js';
export {
  agreementMethods,
  type AwaitedAgreementView,
  type ContractAgreementView,
  type DisagreementsView,
  type PartyAgreementView,
  type TransactionAgreementView,
} from './agreement.js';
export type { ExplanationView, PartyExplanationView } from './agreement-explanation.js';
export { contractRepairMethods, type RepairProgressView, type RepairsView } from './contract-repairs.js';
export { chainExtensionApprovalMethods, chainExtensionMethods } from './chain-extension.js';
export {
  chainPermissionExplanationMethods,
  chainPermissionMethods,
  chainPermissionQueryMethods,
  chainPermissionWriteMethods,
} from './chain-permission.js';
export type {
  PermissionAccountView,
  PermissionNodeView,
  PermissionOrgView,
  PermissionRoleView,
} from './chain-permission/entries.js';
export type { PermissionExplanationView, PermissionPreviewView } from './chain-permission/explanations.js';
export type { PermissionOrgDetailsView } from './chain-permission/queries.js';
export { ACTION_COMPLETED } from './chain-permission/write.js';
export { debugMethods, type AccountDump } from './debug.js';
export { debugStateMethods, type StateDumpView, type StorageRangeView } from './debug-state.js';
export { debugTraceMethods } from './debug-traces.js';
export { erigonMethods } from './erigon.js';
export { explorerMethods } from './explorer.js';
export { chainExtensionInspectionMethods, type ExtensionInspectionView } from './extension-inspection.js';
export { ethForkConfigMethods, type ForkView } from './eth-standard/fork-config.js';
export { ethHeaderMethods } from './eth-standard/headers.js';
export { ethRawTransactionMethods } from './eth-standard/raw-transactions.js';
export {
  ethSimulationMethods,
  type SimulatedBlockView,
  type SimulatedCallView,
} from './eth-standard/simulation.js';
export { ethSubmissionMethods } from './eth-standard/submissions.js';
export { minerMethods } from './miner.js';
export type { BlockOverrides } from './wire/block-overrides.js';
export { debugStandardMethods } from './debug-standard.js';
export { ethMethods, ethPrivacyGroupMethods } from './eth.js';
export { ethStandardMethods } from './eth-standard.js';
export { ethBlockMethods } from './eth-standard/blocks.js';
export { ethChainMethods, type FeeHistory } from './eth-standard/chain.js';
export { ethExecutionMethods } from './eth-standard/execution.js';
export { ethFilterMethods, type ReceiptsQuery, type SubscriptionKind } from './eth-standard/filters.js';
export { ethStateMethods } from './eth-standard/state.js';
export { ethTransactionMethods } from './eth-standard/transactions.js';
export { ibftMethods, type BlockSignersView, type SnapshotView } from './ibft.js';
export { otsMethods } from './ots.js';
export { raftMethods } from './raft.js';
export { restrictedMethods, type RestrictedReceiptView } from './restricted.js';
export { nodeMethods, nodeStandardMethods } from './tables.js';
export { traceMethods, type ReplayedTransaction } from './trace.js';
export { txpoolMethods } from './txpool.js';
export type { VmEffect, VmOperation, VmTrace } from './wire/vm-trace.js';
export { netMethods, rpcMethods, web3Methods } from './web3.js';
export type { AccountChanges, ChangedAccounts } from './wire/account-changes.js';
export { viewAddressHistory } from './wire/address-history.js';
export type { CallTreeEntry, InternalOperation } from './wire/call-tree.js';
export { viewBlockDetails, viewBlockPage, type BlockFigures } from './wire/otterscan-block.js';
export type { FlatTrace, PlacedTrace } from './wire/flat-trace.js';
export type { TraceCriteria } from './wire/trace-criteria.js';
export type { BlockNumberOrTag, BlockReference, BlockTag } from './wire/block-reference.js';
export {
  blockCodec,
  headerCodec,
  viewBlock,
  viewHeader,
  type BlockView,
  type HeaderView,
} from './wire/block.js';
export { DATA_CONFLICT, callRequestCodec, type CallRequest } from './wire/call-request.js';
export type { FilledTransaction } from './wire/filled-transaction.js';
export { logCriteriaCodec, type LogCriteria } from './wire/log-criteria.js';
export { logCodec, viewLog, type LogView } from './wire/log.js';
export { receiptCodec, viewReceipt, type ReceiptView } from './wire/receipt.js';
export type {
  AsyncSendRequest,
  TransactionArguments,
  PrivacyRequest,
  RawPrivacyRequest,
  SendRequest,
} from './wire/send-request.js';
export type { AccountOverride, StateOverrides } from './wire/state-overrides.js';
export type { CallFrame, CallTraceOptions, StructTrace, TraceOptions } from './wire/trace.js';
export {
  effectiveGasPrice,
  transactionCodec,
  viewTransaction,
  type TransactionView,
} from './wire/transaction.js';
