import { TransactionPool, type TransactionPoolOptions } from './transaction-pool.js';

/** Opens the pool with what the journal holds; what was mined meanwhile leaves it. */
export async function openTransactionPool(options: TransactionPoolOptions): Promise<TransactionPool> {
  const pool = new TransactionPool(options);
  await pool.restore();
  return pool;
}
