export {
  blockSize,
  decodeBlock,
  decodeBlockHeader,
  encodeBlock,
  prepareBlock,
  type BlockDecoding,
  type MakeTransactions,
} from './block-rlp.js';
export { logsBloom, mergeBlooms } from './bloom.js';
export { EMPTY_OMMERS_HASH, EMPTY_REQUESTS_HASH, EMPTY_ROOT } from './empty-roots.js';
export { decodeHeader, encodeHeader, headerFields, InvalidBlockError } from './header-rlp.js';
export { decodeBareReceipt, encodeBareReceipt, encodeReceipt, type BareReceipt } from './receipt-rlp.js';
