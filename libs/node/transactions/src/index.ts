export {
  AsyncSender,
  type AsyncSenderOptions,
  type CallbackSender,
  type SendOutcome,
} from './async-sender.js';
export { DEFAULT_GAS_PRICE, assertPublic, buildTransaction, senderOf } from './build-transaction.js';
export { TransactionSender, type TransactionSenderOptions } from './transaction-sender.js';
