export { AddressList } from './address-list.js';
export type { Requester } from './audit-entry.js';
export { judgeData, type DataFindings, type DataMeta } from './data-rules.js';
export {
  addKey,
  changePassphrase,
  deleteKey,
  exportKey,
  keyKindOf,
  type KeyAdminParts,
  type NewKey,
} from './key-admin.js';
export { judgeMessage } from './message-rules.js';
export type { SigningPolicy } from './signing-policy.js';
export { verifyData } from './verify-data.js';
export { WalletSigner, type WalletSignerParts } from './wallet-signer.js';
