export { generateKey, CoinPrivateKey } from './private-key.js';
export { CoinKeyError } from './key-error.js';
export {
  EXPORT_FORMATS,
  IMPORT_FORMATS,
  detectFormat,
  exportKey,
  importKey,
  type ImportOptions,
  type KeyFormat,
} from './key-file.js';
export { lotusFileName, parseLotusFile, parseLotusFileName, type LotusEntry } from './lotus-key-store.js';
export { derivationPath, generatePhrase, keyFromPhrase, type PhraseKeyOptions } from './phrase-key.js';
export { TOKEN_SECRET_RULE, parseTokenSecret, type TokenSecret } from './token-secret.js';
export { blsPrivateKeyOf, blsPublicKey, isBlsPrivateKey, MAX_BLS_DATA_BYTES } from './signature/bls.js';
export {
  SIGNATURE_TYPE,
  encodeSignature,
  protocolOfSignatureType,
  type CoinSignature,
  type SignatureType,
  KEY_KINDS,
  signatureTypeOf,
  type KeyKind,
} from './signature/coin-signature.js';
export { signData, verifySignature } from './signature/sign.js';
export { DIGEST, SigningError } from './signature/recoverable.js';
export { createSigningPool, type SigningPool, type SigningPoolOptions } from './signature/signing-pool.js';
export { addressError, type AddressFault } from './address/address-error.js';
export {
  formatCoinAddress,
  parseCoinAddress,
  type CoinNetwork,
  type ParseAddressOptions,
} from './address/address-text.js';
export {
  CoinAddress,
  MAX_ACTOR_ID,
  PROTOCOL,
  actorIdOf,
  coinAddressFromBytes,
  coinAddressOf,
  delegationOf,
  idAddress,
  type AddressProtocol,
  blsAddress,
  secp256k1Address,
} from './address/coin-address.js';
export { delegatedFromEthAddress, ethAddressOf } from './address/eth-address.js';
