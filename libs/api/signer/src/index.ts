import { eeaMethods } from './eea.js';
import { ethStandardMethods } from './eth-standard.js';
import { ethMethods } from './eth.js';
import { signerListMethods } from './lists.js';

export { eeaMethods, ethMethods, signerListMethods };
export { signerRestMethods } from './rest.js';
export type { TypedData } from './eth-standard.js';
export {
  OWN_PROBLEMS,
  type PrivateTransactionRequest,
  type TransactionRequest,
} from './wire/transaction-request.js';

/** The methods of the interface document that the signing proxy serves. */
export const signerMethods = { ...eeaMethods, ...ethMethods };

/** Those beyond it. */
export const signerStandardMethods = { ...ethStandardMethods, ...signerListMethods };
