export {
  NOTICE_METHOD,
  batchNoticeCodec,
  progressNoticeCodec,
  receivedNoticeCodec,
  rollupNoticeMethods,
} from './rollup/notices.js';
export {
  rollupConsentMethods,
  type ConsentChangeView,
  type ConsentTermsView,
  type ConsentedStateView,
} from './rollup/consents.js';
export { rollupQueueMethods } from './rollup/queue.js';
export { accountRules, type AccountField, type AccountRule } from './account-rules.js';
export {
  pazkpAccountMethods,
  type AccountDetailsView,
  type AccountStateView,
  type RegistrationStatus,
} from './pazkp/accounts.js';
export { pazkpMoneyOrderMethods } from './pazkp/money-orders.js';
export { pazkpOutboundTransferMethods } from './pazkp/outbound-transfers.js';
export { pazkpRedemptionMethods } from './pazkp/redemptions.js';
export { rollupHolderMethods, rollupOperatorMethods } from './tables.js';
export type {
  CreationView,
  MoneyOrderView,
  OperationStatus,
  OutboundTransferView,
  ReceivedStatus,
  RedemptionView,
  RejectionReason,
} from './wire/records.js';
