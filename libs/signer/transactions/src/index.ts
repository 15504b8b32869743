export { accountNotHeld, byAddress, byPublicKey, type AccountName } from './account-named.js';
export { Decisions, type Asker } from './decisions.js';
export { privateEnvelopeOf, type UnsignedPrivateTransaction } from './eea-transaction.js';
export { heldAccounts, type LoadedKeys } from './held-accounts.js';
export { measuredAccounts } from './measured-accounts.js';
export { DEFAULT_GAS, DEFAULT_GAS_PRICE } from './params.js';
export { privacyGroupId } from '@tetrad/transactions';
export {
  planPrivate,
  planPublic,
  type ClientCall,
  type PrivateSendRequest,
  type SendPlan,
  type SendRequest,
} from './send-plan.js';
export { RequestSigner, sequenceOf, type RequestSignerParts, type SendThrough } from './request-signer.js';
export {
  signTransaction,
  type CompleteTransaction,
  type SignedRaw,
  type SigningAccounts,
} from './sign-transaction.js';
export { typedDataDigest, type TypedMessage } from './typed-data.js';
export { TypedDataError } from './typed-data-error.js';
