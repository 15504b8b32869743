export { blsPrivateKeyOf, blsPublicKey, isBlsPrivateKey, MAX_BLS_DATA_BYTES } from './bls.js';
export {
  SIGNATURE_TYPE,
  encodeSignature,
  protocolOfSignatureType,
  type CoinSignature,
  type SignatureType,
} from './coin-signature.js';
export { KEY_KINDS, signatureTypeOf, type KeyKind } from './key-kind.js';
export { signData, verifySignature } from './sign.js';
export { SigningError } from './signing-error.js';
export { createSigningPool, type SigningPool, type SigningPoolOptions } from './signing-pool.js';
