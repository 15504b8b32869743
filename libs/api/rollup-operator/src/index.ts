import { pazkpAccountMethods } from './pazkp/accounts.js';
import { pazkpMoneyOrderMethods } from './pazkp/money-orders.js';
import { pazkpOutboundTransferMethods } from './pazkp/outbound-transfers.js';
import { pazkpRedemptionMethods } from './pazkp/redemptions.js';

export { pazkpAccountMethods, pazkpMoneyOrderMethods, pazkpOutboundTransferMethods, pazkpRedemptionMethods };
export {
  NOTICE_METHOD,
  batchNoticeCodec,
  receivedNoticeCodec,
  rollupNoticeMethods,
} from './rollup/notices.js';
export { accountRules, type AccountRule } from './account-rules.js';
export type {
  AccountDetailsView,
  AccountNonceView,
  AccountStateView,
  RegistrationStatus,
} from './pazkp/accounts.js';
export type {
  CreationView,
  MoneyOrderView,
  OperationStatus,
  OutboundTransferView,
  ReceivedMoneyOrderView,
  ReceivedStatus,
  RedemptionView,
  RejectionReason,
} from './wire/records.js';

/** The methods of the interface document that the rollup operator serves. */
export const rollupOperatorMethods = {
  ...pazkpAccountMethods,
  ...pazkpMoneyOrderMethods,
  ...pazkpRedemptionMethods,
  ...pazkpOutboundTransferMethods,
};
