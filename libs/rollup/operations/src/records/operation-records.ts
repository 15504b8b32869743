import { MAX_ACCOUNTS } from '@tetrad/rollup-state';
import type { OperationQuery, RollupStore, StoredOperation } from '@tetrad/rollup-store';
import type { Hash } from '@tetrad/types';
import { paginateByNonce, type Page } from './page.js';

/** Inclusion of a batch on the chain; unknown fields are undefined. */
export interface Inclusion {
  readonly stateRoot: bigint | undefined;
  readonly blockNumber: number | undefined;
  readonly blockHash: Hash | undefined;
}

export interface OperationRecord extends Inclusion {
  readonly stored: StoredOperation;
}

type Store = Pick<RollupStore, 'findOperation' | 'findBatch' | 'listOperations'>;
type Kind = OperationQuery['kind'];

/** An operation of that kind with the state of its batch on the chain; undefined when it does not exist. */
export async function findOperationRecord(
  store: Store,
  hash: bigint,
  kind: Kind,
): Promise<OperationRecord | undefined> {
  const stored = await store.findOperation(hash);
  if (stored?.operation.kind !== kind) return undefined;
  const batch = stored.batchHeight === undefined ? undefined : await store.findBatch(stored.batchHeight);
  return {
    stored,
    stateRoot: batch?.roots?.state,
    blockNumber: batch?.blockNumber,
    blockHash: batch?.blockHash,
  };
}

export type ListQuery = Omit<OperationQuery, 'limit'> & { readonly softLimit: number };

/**
 * A page of operations in the order of their nonces.
 * @throws as `paginateByNonce`
 */
export async function listOperationRecords(
  store: Pick<Store, 'listOperations'>,
  { softLimit, ...query }: ListQuery,
): Promise<Page<StoredOperation>> {
  if (!isAccount(query.fromAccountId) || !isAccount(query.toAccountId))
    return { hasMoreResults: false, items: [] };
  return paginateByNonce(softLimit, nonceOf, (limit) => store.listOperations({ ...query, limit }));
}

/** Ids have 32 bits, accounts 28. */
export function isAccount(id: number | undefined): boolean {
  return id === undefined || id < MAX_ACCOUNTS;
}

function nonceOf({ operation }: StoredOperation): number {
  return operation.kind === 'createAccount' ? 0 : operation.nonce;
}
