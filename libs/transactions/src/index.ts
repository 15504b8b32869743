export { chainOf, legacyFields, protectedSignature, type LegacyFields } from './legacy-envelope.js';
export {
  TYPE_BYTES,
  encodeUnsigned,
  envelopeOf,
  signTransaction,
  type TransactionEnvelope,
} from './transaction-envelope.js';
export type { TransactionFees, UnsignedTransaction } from './unsigned-transaction.js';
