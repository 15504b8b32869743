import { pazkpAccountMethods } from './pazkp/accounts.js';
import { pazkpMoneyOrderMethods } from './pazkp/money-orders.js';
import { pazkpOutboundTransferMethods } from './pazkp/outbound-transfers.js';
import { pazkpRedemptionMethods } from './pazkp/redemptions.js';

/** The methods of the interface document that the rollup operator serves. */
export const rollupOperatorMethods = {
  ...pazkpAccountMethods,
  ...pazkpMoneyOrderMethods,
  ...pazkpRedemptionMethods,
  ...pazkpOutboundTransferMethods,
};
