export { chainOf, legacyFields, protectedSignature, trimmed, type LegacyFields } from './legacy-envelope.js';
export { offeredGasPrice } from './offered-gas-price.js';
export { privacyGroupId } from './privacy-group-id.js';
export { PRIVATE_V, encodeUnsignedPrivate, privateEnvelopeOf } from './private-envelope.js';
export {
  TYPE_BYTES,
  encodeUnsigned,
  envelopeOf,
  signTransaction,
  type TransactionEnvelope,
} from './transaction-envelope.js';
export type { TransactionFees, UnsignedTransaction } from './unsigned-transaction.js';
