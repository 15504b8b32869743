export { copyOf, readRlp, readRlpItem, readRlpList, type RlpItem } from './read-rlp.js';
export { RlpError } from './rlp-error.js';
export { EMPTY_LIST, rlpBytes, rlpHash, rlpList, rlpPrefixLength, rlpScalar } from './write-rlp.js';
