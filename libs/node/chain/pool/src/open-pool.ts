import { TransactionPool, type TransactionPoolOptions } from './transaction-pool.js';

/** Opens the pool with the transactions of the journal, without those that were mined meanwhile. */
export async function openTransactionPool(options: TransactionPoolOptions): Promise<TransactionPool> {
  const pool = new TransactionPool(options);
  await pool.restore();
  return pool;
}
