export {
  NOTICE_METHOD,
  batchNoticeCodec,
  progressNoticeCodec,
  receivedNoticeCodec,
  rollupNoticeMethods,
} from './rollup/notices.js';
export { rollupQueueMethods } from './rollup/queue.js';
export { accountRules, type AccountRule } from './account-rules.js';
export {
  pazkpAccountMethods,
  type AccountDetailsView,
  type AccountStateView,
  type RegistrationStatus,
} from './pazkp/accounts.js';
export { pazkpMoneyOrderMethods } from './pazkp/money-orders.js';
export { pazkpOutboundTransferMethods } from './pazkp/outbound-transfers.js';
export { pazkpRedemptionMethods } from './pazkp/redemptions.js';
export { rollupOperatorMethods } from './tables.js';
export type {
  CreationView,
  MoneyOrderView,
  OperationStatus,
  OutboundTransferView,
  ReceivedStatus,
  RedemptionView,
  RejectionReason,
} from './wire/records.js';
