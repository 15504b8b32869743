export { findAccount, findOwnAccount, type AccountDetails } from './account/account-details.js';
export { nonceUse, type NonceUse } from './account/next-nonce.js';
export { openJournalFile } from './account/journal-file.js';
export type { JournalStore } from './account/journal-store.js';
export { OperationJournal, type OpenOperation } from './account/operation-journal.js';
export {
  registerAccount,
  RollupAccount,
  type AccountDependencies,
  type Submitted,
} from './account/rollup-account.js';
export { retryAfterOf } from './account/retry-after.js';
export {
  OutcomeUnknownError,
  settleOpenOperations,
  submitOperation,
  type SettledOperation,
} from './account/submit-operation.js';
export {
  type AccountTotals,
  type AuditReport,
  type AuditedOperation,
  type UnredeemedOrder,
} from './audit/audit-report.js';
export { auditViewKey, type AuditOptions } from './audit/audit-view-key.js';
export { DisclosureError } from './audit/disclosure-error.js';
export { makeViewKey, type ViewKeyOptions } from './audit/make-view-key.js';
export { periodOf, type PeriodEnd } from './audit/period-of-dates.js';
export { readViewKey, writeViewKey } from './audit/view-key-file.js';
export { viewKeyText } from './audit/view-key-schema.js';
export { type SignedViewKey, type ViewKey } from './audit/view-key.js';
export {
  acceptedBatch,
  acceptedBatches,
  type BatchRange,
  type MinedBatch,
} from './chain/accepted-batches.js';
export { findFreeze } from './chain/find-freeze.js';
export { findDepositOrder, madeDeposit, type MadeDeposit } from './chain/find-deposit.js';
export { redirectOwed, signRedirection, type Redirection } from './chain/redirect-owed.js';
export { allowance, approve, decimalsOf } from './chain/erc20.js';
export { readDepositQueue, type DepositQueue } from './chain/deposit-queue.js';
export {
  ChainRpcError,
  ChainUnavailableError,
  type EthereumClient,
  freezeText,
  type EthereumReceipt,
  type FreezeHistory,
} from '@tetrad/rollup-chain';
export {
  connectEthereum,
  RevertedError,
  sendTransaction,
  type ContractCall,
  type SendOptions,
} from './chain/send-transaction.js';
export { ContractRefusal, DepositTooLowError } from './chain/contract-errors.js';
export { RollupContract, type ContractState, type RollupToken } from './chain/rollup-contract.js';
export { AccountFollower } from './exit/account-follower.js';
export { chooseRequest, type RequestChoice, type RequestTerms } from './exit/choose-request.js';
export { exitRollup } from './exit/exit.js';
export type { ExitOptions, ExitProgress, PlannedTransfer } from './exit/exit-options.js';
export { nextFreezeStep, type Dues, type FreezeStep } from './exit/freeze-step.js';
export { requestCall, type NamedCall, type RequestInput } from './exit/request-operation.js';
export { requestTransfer, type WantedTransfer } from './exit/request-transfer.js';
export { rebuildPublicState, type RebuildRange, type Rebuilt } from './history/rebuild.js';
export { recoverAccount, type RecoveryRange } from './history/recover-account.js';
export { StateRoots } from './history/state-roots.js';
export { createRollupKeyFile, openRollupKeyFile } from './keys/rollup-key-file.js';
export { deriveRollupKeys, jointKeyOf, type RollupKeys } from './keys/rollup-keys.js';
export { MoveFile, presentSuccessor, type MoveStart, type Successor } from './move/move-file.js';
export type { Awaited, MoveOptions, MoveProgress } from './move/move-options.js';
export { MoveRefusedError } from './move/move-refused-error.js';
export type { TokenPlaces } from './move/move-report.js';
export { abandonMove, moveRollup, type MoveEnd } from './move/move-rollup.js';
export { rollupTokens } from './chain/rollup-tokens.js';
export {
  StatementError,
  checkStatement,
  readStatement,
  signStatement,
  statementJson,
  type SignedStatement,
  type SuccessorStatement,
} from './move/successor-statement.js';
export { AccountNews, type AccountNewsOptions } from './operator/account-news.js';
export { connectOperator, type OperatorClient } from './operator/operator-client.js';
export {
  listConsentChanges,
  listCreations,
  listCredits,
  listOutboundTransfers,
  listReceived,
  listRedemptions,
  type ConsentItem,
  type CreationItem,
  type CreditItem,
  type OutboundItem,
  type ReceivedItem,
  type RedemptionItem,
} from './operator/list-pages.js';
export {
  accountCreationParams,
  moneyOrderCall,
  outboundTransferCall,
  redemptionCall,
  type OperationCall,
} from './operations/operation-call.js';
export {
  signAccountCreation,
  signMoneyOrder,
  signOutboundTransfer,
  signRedemption,
  type Payment,
  type RollupParameters,
  type Signed,
  type SignedWithCiphertext,
} from './operations/sign-operation.js';
export { checkAccountProof, type ProvedAccount, ProofError } from './proofs/account-proof.js';
export { confirmAccount, confirmMoneyOrder } from './proofs/confirm-proofs.js';
export { checkMoneyOrderProof, type ProvedOrder } from './proofs/money-order-proof.js';
export { provedCredits, type CreditSources } from './proofs/proved-credits.js';
export { requestInTurns, requestTimes, type TurnRequest } from './turns/turn-requests.js';
export { readPresentState, type PresentState } from './verify/present-state.js';
export { UnverifiedContractError } from './verify/unverified-contract.js';
export { verifyContract, type VerifiedContract } from './verify/verify-contract.js';
