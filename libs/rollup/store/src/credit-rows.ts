import { clientBytes } from '@tetrad/db';
import { decodeWord, encodeWord, type MoneyOrder } from '@tetrad/rollup-crypto';
import type { ExecutionWrite } from './execution-rows.js';
import { integerOf } from './read-row.js';
import type { RollupCalls } from './rollup-client.js';

/** A payment or deposit that was added to its receiver's balance in its batch. */
export interface StoredCredit {
  /** Total index of the credit; what it credits has the place before. */
  readonly totalIndex: number;
  readonly batchHeight: number;
  /** From account 0 for a deposit. */
  readonly order: MoneyOrder;
}

/** Which credits a page holds. */
export interface CreditQuery {
  readonly toAccountId: number;
  readonly fromTotalIndex: number;
  /** Batches up to it count. */
  readonly upToHeight: number;
  readonly fromAccountId?: number | undefined;
  readonly limit: number;
}

/** Writes credits at their places; part of a transaction that holds the lock of the sequence. */
export async function insertCredits(calls: RollupCalls, credits: ExecutionWrite['credits']): Promise<void> {
  await calls.credit.createMany({
    data: credits.map(({ totalIndex, batchHeight, order }) => {
      const { fromAccountId, toAccountId, tokenId, amount, blindingFactor } = order;
      const parties = { fromAccountId, toAccountId, tokenId, amount: String(amount) };
      return { totalIndex, batchHeight, ...parties, blindingFactor: clientBytes(encodeWord(blindingFactor)) };
    }),
  });
}

/** The credits of a batch, by total index. */
export async function listBatchCredits(calls: RollupCalls, batchHeight: number): Promise<StoredCredit[]> {
  const rows = await calls.credit.findMany({ where: { batchHeight }, orderBy: { totalIndex: 'asc' } });
  return rows.map(parseCredit);
}

/** Credits of an account, by total index. */
export async function listCredits(calls: RollupCalls, query: CreditQuery): Promise<StoredCredit[]> {
  const { toAccountId, fromAccountId, fromTotalIndex, upToHeight, limit } = query;
  const rows = await calls.credit.findMany({
    where: {
      toAccountId,
      totalIndex: { gte: fromTotalIndex },
      batchHeight: { lte: upToHeight },
      ...(fromAccountId === undefined ? {} : { fromAccountId }),
    },
    orderBy: { totalIndex: 'asc' },
    take: limit,
  });
  return rows.map(parseCredit);
}

type Row = Awaited<ReturnType<RollupCalls['credit']['findMany']>>[number];

function parseCredit({ totalIndex, batchHeight, amount, blindingFactor, ...parties }: Row): StoredCredit {
  const { fromAccountId, toAccountId, tokenId } = parties;
  return {
    totalIndex: Number(totalIndex),
    batchHeight: Number(batchHeight),
    order: {
      fromAccountId,
      toAccountId,
      tokenId,
      amount: integerOf(amount),
      blindingFactor: decodeWord(blindingFactor),
    },
  };
}
