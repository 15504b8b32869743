export { openTransactionPool } from './open-pool.js';
export type { Journal, PoolChain } from './pool-chain.js';
export type { PoolContent } from './pool-book.js';
export type { PoolEntry } from './pool-entry.js';
export type { PoolLimits } from './pool-limits.js';
export type { Selection } from './selection.js';
export { TransactionPool, type TransactionPoolOptions } from './transaction-pool.js';
