export { NonceTurns } from './nonce-turns.js';
export { DEFAULT_GAS, DEFAULT_GAS_PRICE } from './params.js';
export {
  PublicSender,
  type PublicSenderOptions,
  type SendRequest,
  type Submitter,
} from './send-transaction.js';
export { signTransaction, type UnsignedTransaction } from './sign-transaction.js';
