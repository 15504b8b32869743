export { AccountAccess } from './account-access.js';
export { AccountDirectory, accountNotFound, accountOpaque } from './account-directory.js';
export type { Check, CheckOutcome } from './check-job.js';
export { createCheckPool, type CheckPool, type CheckPoolOptions } from './check-pool.js';
export { OperationAcceptance, type AcceptanceParts } from './operation-acceptance.js';
export {
  readConsentChange,
  readMoneyOrderCreation,
  readMoneyOrderRedemption,
  readOutboundTransfer,
  type EncryptedBytes,
} from './operation-reader.js';
export {
  register,
  type RegistrationBytes,
  type RegistrationParts,
  type RegistrationStatus,
} from './registration.js';
export { QueuePace } from './queue-pace.js';
export { Refusals } from './refusals.js';
export { FinalNews } from './notices/final-news.js';
export { ProgressNews } from './notices/progress-news.js';
export { Subscriptions, type Subscriber, type SubscriptionLimits } from './notices/subscriptions.js';
export { TokenDirectory } from './token-directory.js';
export { findProvenAccount, type ProvenAccount } from './records/account-state.js';
export {
  findOperationRecord,
  listOperationRecords,
  type Inclusion,
  type ListQuery,
  type OperationRecord,
} from './records/operation-records.js';
export { OrderProofs } from './records/order-proofs.js';
export type { Page } from './records/page.js';
export { listCreditRecords, type CreditListQuery } from './records/credits.js';
export { findReceivedOrder, listReceivedOrders, type ReceivedListQuery } from './records/received-orders.js';
