export { MAX_BIG_INTEGER_BYTES, MAX_PARAMS_BYTES, assertInRange, type CoinMessage } from './coin-message.js';
export {
  contentIdOf,
  formatContentId,
  isContentId,
  messageContentId,
  signedMessageContentId,
} from './content-id.js';
export type { EthEnvelope } from './eth-envelope.js';
export { ETH_CHAIN_ID, decodeEthPayload, ethPayloadOf, type EthPayload } from './eth-payload.js';
export { BLOCK_GAS_LIMIT, TOTAL_SUPPLY, findInclusionFault, type InclusionFault } from './inclusion-rules.js';
export { decodeCoinMessage, encodeCoinMessage } from './message-codec.js';
export { CoinMessageError, type MessageFault, type MessageField } from './message-error.js';
export { assertMetaFits, type MessageMeta } from './message-meta.js';
export { recognizeChainMessage, type ChainBytes } from './recognize.js';
export { bytesToSign } from './signed-bytes.js';
export { textEnvelope } from './text-envelope.js';
