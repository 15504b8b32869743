export { AddressList } from './address-list.js';
export type { Requester } from './audit-entry.js';
export { checkData, type DataFindings, type DataMeta } from './data-rules.js';
export {
  addKey,
  changePassphrase,
  deleteKey,
  exportKey,
  keyKindOf,
  type KeyAdminParts,
  type NewKey,
} from './key-admin.js';
export { checkMessage } from './message-rules.js';
export { RemoteCoinKeys } from './remote/remote-coin-keys.js';
export { readRemoteKeyFolder, type RemoteCoinKeyFile } from './remote/remote-key-folder.js';
export type { SigningPolicy } from './signing-policy.js';
export { verifyData } from './verify-data.js';
export { WalletSigner, type WalletSignerParts } from './wallet-signer.js';
export {
  MAX_BIG_INTEGER_BYTES,
  MAX_PARAMS_BYTES,
  assertInRange,
  type CoinMessage,
} from './message/coin-message.js';
export {
  contentIdOf,
  formatContentId,
  isContentId,
  messageContentId,
  signedMessageContentId,
} from './message/content-id.js';
export type { EthEnvelope } from './message/eth-envelope.js';
export { ETH_CHAIN_ID, decodeEthPayload, ethPayloadOf, type EthPayload } from './message/eth-payload.js';
export {
  BLOCK_GAS_LIMIT,
  TOTAL_SUPPLY,
  findInclusionFault,
  type InclusionFault,
} from './message/inclusion-rules.js';
export { decodeCoinMessage, encodeCoinMessage } from './message/message-codec.js';
export { CoinMessageError, type MessageFault, type MessageField } from './message/message-error.js';
export { recognizeChainMessage, type ChainBytes } from './message/recognize.js';
export { bytesToSign, textEnvelope } from './message/signed-bytes.js';
