export {
  AsyncSender,
  type AgreementWait,
  type AsyncSenderOptions,
  type CallbackSender,
  type SendOutcome,
} from './async-sender.js';
export { DEFAULT_GAS_PRICE, buildTransaction, gasPriceOf, senderOf } from './build-transaction.js';
export { LedgerHead, type LedgerHeadParts } from './ledger-head.js';
export { ownTransactions } from './own-transactions.js';
export { PrivateSender, type PrivateSenderOptions, type PrivateSending } from './private/private-sender.js';
export type { ReceiptParts } from './receipt-waiters.js';
export { SynchronousSubmission, type SynchronousSubmissionOptions } from './synchronous-submission.js';
export { TransactionSender, type TransactionSenderOptions } from './transaction-sender.js';
export {
  assertNothingPrivate,
  isPrivateRequest,
  readDistribution,
  type Distribution,
} from './private/distribution.js';
export { managerError, markedJson, PayloadDistributor, type Manager } from './private/payload-distributor.js';
export { createMarkerSigner, type MarkerKey, type MarkerSigner } from './private/marker-signer.js';
export { RecipientCheck, type ContractParties, type RecipientCheckParts } from './private/recipient-check.js';
export type { HeadWorlds, PrivateHead } from './private/head-worlds.js';
export {
  RawPrivateTransactions,
  assertCarriesNothing,
  type RawPrivateTransactionsParts,
} from './private/raw-private-transactions.js';
export {
  RestrictedTransactions,
  type RestrictedTransactionsParts,
} from './private/restricted-transactions.js';
export {
  DryRunFailedError,
  dryRunPayload,
  type DryRun,
  type PrivateCall,
} from './private/dry-run-payload.js';
