export {
  startBlockProduction,
  NotTheValidatorError,
  type BlockProduction,
  type BlockProductionOptions,
} from './block-production.js';
export { blockSize, encodeBlock } from './block-rlp.js';
export { minedAt, minedLogs } from './block-rows.js';
export { logsBloom, mergeBlooms } from './bloom.js';
export { InvalidBlockError } from './invalid-block-error.js';
export { Ledger, WrongGenesisError, openLedger, type BlockListener, type LedgerOptions } from './ledger.js';
export { DEFAULT_POOL_LIMITS, type PoolLimits } from './pool-rules.js';
export { encodeReceipt } from './receipt-rlp.js';
export {
  TransactionPool,
  openTransactionPool,
  type PoolContent,
  type TransactionPoolOptions,
} from './transaction-pool.js';
