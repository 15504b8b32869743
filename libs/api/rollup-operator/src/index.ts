import { pazkpAccountMethods } from './pazkp/accounts.js';
import { pazkpMoneyOrderMethods } from './pazkp/money-orders.js';
import { pazkpOutboundTransferMethods } from './pazkp/outbound-transfers.js';
import { pazkpRedemptionMethods } from './pazkp/redemptions.js';

export { pazkpAccountMethods, pazkpMoneyOrderMethods, pazkpOutboundTransferMethods, pazkpRedemptionMethods };
export { accountRules, type AccountRule } from './account-rules.js';
export type { AccountDetailsView, AccountStateView, RegistrationStatus } from './pazkp/accounts.js';
export type {
  CreationView,
  MoneyOrderView,
  OperationStatus,
  OutboundTransferView,
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
