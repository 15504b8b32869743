/**
 * Private transactions, extensions, permissions, consensus and wallets, as extensions of a client of viem.
 *
 * @module @tetrad/client
 */
export {
  AccountCannotSignPrivatelyError,
  AccountMissingError,
  MarkerSenderError,
  NodeAccountNeededError,
} from './errors/account-errors.js';
export { InvalidCoinMessageError } from './errors/coin-errors.js';
export { UnexpectedServiceError } from './errors/service-errors.js';
export {
  InvalidPrivacyError,
  UnexpectedReceiptError,
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
export type { Methods, ParametersOf, ResultOf } from './wire/method-types.js';
export type { ErrorReason, NodeMethods, SignerMethods, WalletMethods } from './wire/methods.js';
export {
  raftActions,
  validatorActions,
  type RaftActions,
  type ValidatorActions,
} from './consensus/consensus-actions.js';
export * from './consensus/raft-cluster.js';
export * from './consensus/validators.js';
export {
  createTetradClient,
  type CreateTetradClientParameters,
  type TetradClient,
} from './detect/createTetradClient.js';
export { findServed, type Served, type ServedWithoutChain } from './detect/served.js';
export * from './extension/approveExtension.js';
export * from './extension/contract-extensions.js';
export * from './extension/extendContract.js';
export { extensionActions, type ExtensionActions } from './extension/extension-actions.js';
export * from './extension/watchExtensions.js';
export * from './permissions/account-actions.js';
export type { AdminActionErrorType } from './permissions/admin-action.js';
export * from './permissions/node-actions.js';
export * from './permissions/org-actions.js';
export { permissionActions, type PermissionActions } from './permissions/permission-actions.js';
export * from './permissions/questions.js';
export {
  acctList,
  getOrgDetails,
  nodeList,
  orgList,
  roleList,
  type AccountStatus,
  type NodeStatus,
  type OrgStatus,
  type PermissionAccount,
  type PermissionNode,
  type PermissionOrg,
  type PermissionOrgDetails,
  type PermissionRole,
} from './permissions/records.js';
export * from './permissions/role-actions.js';
export { coinActions, walletHas, walletList, type CoinActions } from './wallet/coin-actions.js';
export type { CoinAddress, CoinMessage } from './wallet/coin-message.js';
export type { CoinSignature, CoinSignatureType } from './wallet/coin-signature.js';
export * from './wallet/signing.js';
