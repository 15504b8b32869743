export { blake2b160, blake2b256, blake2b32 } from './blake2b.js';
export { EMPTY_KECCAK, keccak256, keccakHash, keccakInto, keccakView } from './keccak.js';
export { personalMessageDigest, personalMessagePreimage } from './personal-message.js';
export { scrypt, scryptMemory, type ScryptCost } from './scrypt.js';
export { sha3_512, sha3_512After } from './sha3.js';
export { signingKeyOf, type SigningKey } from './signing-key.js';
export {
  InvalidSignatureError,
  SECP256K1_HALF_ORDER,
  SECP256K1_ORDER,
  addressFromPrivateKey,
  addressFromPublicKey,
  decodeSignature65,
  encodeSignature65,
  generatePrivateKey,
  isPrivateKey,
  isPublicKey,
  publicKeyFromPrivateKey,
  recoverAddress,
  recoverPublicKey,
  signDigest,
  type RecoverableSignature,
} from './secp256k1.js';
