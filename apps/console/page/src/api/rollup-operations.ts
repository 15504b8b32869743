import * as z from 'zod';
import { orderOperationSchema, pageOf, transferSchema } from './rollup-shapes.js';

/** An operation of an account, of any kind. */
export interface RollupOperation {
  readonly kind: 'order' | 'redemption' | 'transfer';
  readonly hash: string;
  readonly nonce: number;
  readonly fromAccountId: number;
  /** An account of the rollup, or an Ethereum address. */
  readonly to: number | string;
  readonly tokenId: number;
  readonly amount: bigint;
  readonly status: string;
  readonly rejectionReason: string | undefined;
  readonly batchHeight: number | undefined;
  /** Block number of a single operation, once its batch is final. */
  readonly blockNumber: number | undefined;
  readonly stateRoot: string | undefined;
}

interface Members {
  readonly nonce: number;
  readonly status: string;
  readonly rejectionReason?: string | null | undefined;
  readonly operationHash: string;
  readonly batchHeight?: number | null | undefined;
  readonly blockNumber?: number | null | undefined;
  readonly batchStateRootHash?: string | null | undefined;
}

const membersOf = (found: Members) => ({
  hash: found.operationHash,
  nonce: found.nonce,
  status: found.status,
  rejectionReason: found.rejectionReason ?? undefined,
  batchHeight: found.batchHeight ?? undefined,
  blockNumber: found.blockNumber ?? undefined,
  stateRoot: found.batchStateRootHash ?? undefined,
});

/** @throws ZodError for another form */
export function orderOperation(kind: 'order' | 'redemption', value: unknown): RollupOperation {
  const found = orderOperationSchema.parse(value);
  const { toAccountId, ...order } = found.moneyOrder;
  return { kind, ...order, to: toAccountId, ...membersOf(found) };
}

/** @throws ZodError for another form */
export function transferOperation(value: unknown): RollupOperation {
  const found = transferSchema.parse(value);
  const { fromAccountId, tokenId, amount, toEthereumAddress: to } = found;
  return { kind: 'transfer', fromAccountId, to, tokenId, amount, ...membersOf(found) };
}

/**
 * Three pages as one list, highest nonce first.
 * @throws ZodError for another form
 */
export function operationsOf(created: unknown, redeemed: unknown, transfers: unknown) {
  const pages = [created, redeemed, transfers].map((page) => pageOf(z.unknown()).parse(page));
  const [orders = [], redemptions = [], outbound = []] = pages.map(({ items }) => items);
  return {
    items: [
      ...orders.map((one) => orderOperation('order', one)),
      ...redemptions.map((one) => orderOperation('redemption', one)),
      ...outbound.map(transferOperation),
    ].sort((a, b) => b.nonce - a.nonce),
    hasMore: pages.some(({ hasMoreResults }) => hasMoreResults),
  };
}
