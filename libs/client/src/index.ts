export {
  AccountCannotSignPrivatelyError,
  AccountMissingError,
  MarkerSenderError,
  NodeAccountNeededError,
} from './errors/account-errors.js';
export {
  InvalidPrivacyError,
  UnexpectedTransactionError,
  UnsupportedBySignerError,
  WaitForPrivateReceiptTimeoutError,
} from './errors/privacy-errors.js';
export { TetradRequestError, type RejectionOf, type TetradRequestErrorType } from './errors/request-error.js';
export type { PartyOutcome } from './private/agreement.js';
export * from './private/deployPrivateContract.js';
export * from './private/distributePrivateTransaction.js';
export * from './private/getContractPrivacy.js';
export * from './private/getPrivatePayload.js';
export * from './private/getPrivateTransaction.js';
export { privacyFlags, type PrivacyFlag, type PrivacyParameters, type PtmKey } from './private/privacy.js';
export { privateActions, type PrivateActions } from './private/private-actions.js';
export type { PrivateReceipt } from './private/private-receipt.js';
export * from './private/sendPrivacyMarker.js';
export * from './private/sendPrivateTransaction.js';
export * from './private/sendRawPrivateTransaction.js';
export { signPrivateTransaction, type PrivateTransactionContent } from './private/signPrivateTransaction.js';
export * from './private/waitForPrivateReceipt.js';
export * from './private/writePrivateContract.js';
export { privacyGroupIdOf, type RestrictedRecipients } from './restricted/privacy-group.js';
export { restrictedActions, type RestrictedActions } from './restricted/restricted-actions.js';
export * from './restricted/sendRestrictedTransaction.js';
export {
  signRestrictedTransaction,
  type RestrictedTransactionContent,
} from './restricted/signRestrictedTransaction.js';
export type { Methods, ParametersOf, ResultOf } from './wire/call-method.js';
export type { ErrorReason, NodeMethods, SignerMethods } from './wire/methods.js';
