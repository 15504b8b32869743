import type { Deposit } from './deposit-rows.js';
import { batchDeposits } from './hot/batch-deposits.js';
import { batchOperations } from './hot/batch-operations.js';
import type { StoredOperation } from './operation-rows.js';
import type { Statements } from './statements.js';

/** The content of a batch, in order. */
export type BatchItem =
  | { readonly kind: 'operation'; readonly index: number; readonly stored: StoredOperation }
  | { readonly kind: 'deposit'; readonly index: number; readonly deposit: Deposit };

/** Operations and deposits of a batch. */
export async function readBatchItems(statements: Statements, height: number): Promise<BatchItem[]> {
  const operations = await batchOperations(statements, height);
  const deposits = await batchDeposits(statements, height);
  const items: BatchItem[] = [
    ...operations.map((stored) => ({
      ...{ kind: 'operation' as const, index: stored.batchIndex as number, stored },
    })),
    ...deposits.map(({ place, deposit }) => ({ kind: 'deposit' as const, index: place, deposit })),
  ];
  return items.sort((one, other) => one.index - other.index);
}
