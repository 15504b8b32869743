import { pazkpAccountMethods } from './pazkp/accounts.js';
import { pazkpMoneyOrderMethods } from './pazkp/money-orders.js';
import { pazkpOutboundTransferMethods } from './pazkp/outbound-transfers.js';
import { pazkpRedemptionMethods } from './pazkp/redemptions.js';
import { rollupConsentMethods } from './rollup/consents.js';

/** The methods of the interface document that the rollup operator serves. */
export const rollupOperatorMethods = {
  ...pazkpAccountMethods,
  ...pazkpMoneyOrderMethods,
  ...pazkpRedemptionMethods,
  ...pazkpOutboundTransferMethods,
};

/** The methods by which holders use their accounts: a token that is bound to accounts is checked by them, and clients call them. */
export const rollupHolderMethods = { ...rollupOperatorMethods, ...rollupConsentMethods };
