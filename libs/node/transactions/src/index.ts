export {
  AsyncSender,
  type AsyncSenderOptions,
  type CallbackSender,
  type SendOutcome,
} from './async-sender.js';
export { DEFAULT_GAS_PRICE, buildTransaction, gasPriceOf, senderOf } from './build-transaction.js';
export { HeadStages, type HeadStagesParts } from './head-stages.js';
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
export { createMarkerSigner, type MarkerSigner } from './private/marker-signer.js';
export type { PrivateStage, PrivateStages } from './private/private-stage.js';
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
  SimulationFailedError,
  simulatePayload,
  type PrivateCall,
  type Simulated,
} from './private/simulate-payload.js';
