export { accountLeafHash, type AccountLeaf } from './account.js';
export { claimHash } from './claim.js';
export {
  NO_CONSENT,
  consentHash,
  consentWords,
  creditWord,
  openCredit,
  readConsentWords,
  type ConsentTerms,
  type CreditPlace,
  type CreditedAmount,
  type ReadConsent,
} from './consent.js';
export { disclosureHash } from './disclosure.js';
export {
  CIPHERTEXT_WORDS,
  ciphertextFromWords,
  ciphertextHash,
  ciphertextWords,
  decodeCiphertext,
  decodeText,
  decrypt,
  decryptWithFactor,
  encodeCiphertext,
  encrypt,
  isEncryptionOf,
  textOfWords,
  type Ciphertext,
} from './encryption.js';
export {
  FIELD_MODULUS,
  GROUP_ORDER,
  WORD_BYTES,
  decodeWord,
  decodeWords,
  encodeWord,
  encodeWords,
  invert,
  isFieldElement,
  modulo,
} from './field.js';
export { FixedBaseTable } from './fixed-base-table.js';
export {
  GENERATOR,
  POINT_BYTES,
  decodePoint,
  encodePoint,
  isOnCurve,
  isScalar,
  multiplyAll,
  multiplyGenerator,
  multiplyPoint,
  sumOfProducts,
  type Point,
} from './grumpkin.js';
export {
  decodeJointKey,
  encodeJointKey,
  jointKeyHash,
  jointKeyWords,
  type HashedJointKey,
  type JointKey,
} from './joint-key.js';
export {
  inboundMoneyOrder,
  moneyOrderHash,
  moneyOrderWords,
  splitTotalIndex,
  totalIndex,
  type MoneyOrder,
} from './money-order.js';
export { operationKinds, type OperationKind } from './operation-kinds.js';
export {
  operationHash,
  operationPlaintext,
  acceptedPlaintext,
  creationOfWords,
  isFullCreation,
  rollupDomain,
  type AccountCreation,
  type ConsentChange,
  type MoneyOrderCreation,
  type MoneyOrderRedemption,
  type OutboundTransfer,
  type SignedKind,
} from './operation.js';
export { hashWords } from './poseidon2.js';
export {
  FULL_ROUNDS,
  INTERNAL_DIAGONAL,
  PARTIAL_ROUNDS,
  deriveRoundConstants,
} from './poseidon2-constants.js';
export { MAX_ATTEMPTS, deriveRandomizationFactor } from './randomization-factor.js';
export { randomBlindingFactor, randomScalar } from './random.js';
export {
  SIGNATURE_BYTES,
  decodeSignature,
  encodeSignature,
  sign,
  signatureChallenge,
  verifySignature,
  type Signature,
} from './signature.js';
export { openWithSharedKey, proveSharedKeys, verifySharedKeys, type SharedKeyProof } from './shared-keys.js';
