export {
  AsyncSender,
  type AsyncSenderOptions,
  type CallbackSender,
  type SendOutcome,
} from './async-sender.js';
export { DEFAULT_GAS_PRICE, buildTransaction, gasPriceOf, senderOf } from './build-transaction.js';
export { LedgerHead, type LedgerHeadParts } from './ledger-head.js';
export { ownTransactions } from './own-transactions.js';
export { PrivateSender, type PrivateSenderOptions, type PrivateSending } from './private-sender.js';
export type { ReceiptParts } from './receipt-waiters.js';
export { SynchronousSubmission, type SynchronousSubmissionOptions } from './synchronous-submission.js';
export { TransactionSender, type TransactionSenderOptions } from './transaction-sender.js';
