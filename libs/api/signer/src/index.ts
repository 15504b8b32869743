import { eeaMethods } from './eea.js';
import { ethMethods } from './eth.js';

export { eeaMethods, ethMethods };
export { signerRestMethods } from './rest.js';
export { ethStandardMethods as signerStandardMethods, type TypedData } from './eth-standard.js';
export type { PrivateTransactionRequest, TransactionRequest } from './wire/transaction-request.js';

/** The methods of the interface document that the signing proxy serves. */
export const signerMethods = { ...eeaMethods, ...ethMethods };
