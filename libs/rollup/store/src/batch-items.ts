import { splitTotalIndex, type MoneyOrder } from '@tetrad/rollup-crypto';
import type { StoredBatch } from './batch-rows.js';
import { listBatchCredits } from './credit-rows.js';
import type { Deposit } from './deposit-rows.js';
import { batchDeposits } from './hot/batch-deposits.js';
import { batchOperations } from './hot/batch-operations.js';
import type { StoredOperation } from './operation-rows.js';
import type { RollupCalls } from './rollup-client.js';
import type { Statements } from './statements.js';

/** The content of a batch, in order. */
export type BatchItem =
  | { readonly kind: 'operation'; readonly index: number; readonly stored: StoredOperation }
  | { readonly kind: 'deposit'; readonly index: number; readonly deposit: Deposit }
  | { readonly kind: 'credit'; readonly index: number; readonly order: MoneyOrder };

/**
 * Operations, deposits and credits of a batch.
 *
 * @param statements - of a transaction
 * @param batch - its height, and how many of all it has
 * @param calls - the client in the transaction, which is loaded where something was credited
 */
export async function readBatchItems(
  statements: Statements,
  { height, operations: count }: Pick<StoredBatch, 'height' | 'operations'>,
  calls: () => Promise<RollupCalls>,
): Promise<BatchItem[]> {
  const operations = await batchOperations(statements, height);
  const deposits = await batchDeposits(statements, height);
  const items: BatchItem[] = [
    ...operations.map((stored) => ({
      kind: 'operation' as const,
      index: stored.batchIndex as number,
      stored,
    })),
    ...deposits.map(({ place, deposit }) => ({ kind: 'deposit' as const, index: place, deposit })),
  ];
  const credits = items.length < count ? await listBatchCredits(await calls(), height) : [];
  for (const { totalIndex, order } of credits)
    items.push({ kind: 'credit', index: splitTotalIndex(totalIndex).index, order });
  return items.sort((one, other) => one.index - other.index);
}
