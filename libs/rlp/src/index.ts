export { copyOf, readRlp, readRlpItem, readRlpList, type RlpItem, RlpError } from './read-rlp.js';
export { RlpFields, type RlpFault } from './rlp-fields.js';
export {
  EMPTY_LIST,
  emptyRlpList,
  encodeRlp,
  rlpBytes,
  rlpHash,
  rlpList,
  rlpPrefixLength,
  rlpScalar,
  writeRlpBytes,
  writeRlpListPrefix,
  type RlpTree,
} from './write-rlp.js';
