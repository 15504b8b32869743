import { clientBytes } from '@tetrad/db';
import { pairColumns, type AgreementBlock, type KeyPair } from './agreement-rows.js';
import type { PairBytes } from './hot/state-blocks.js';
import type { NodeCalls } from './node-client.js';

/** Blocks of a pair that are pending; of more, the oldest are not compared any more. */
export const MAX_PENDING = 1_024;

/** States in which the other party has yet to say something. */
export const PENDING = { in: ['pending', 'comparing'] };

export function blockKey(row: KeyPair & Pick<AgreementBlock, 'block'>) {
  return { blockNumber_own_other: { blockNumber: BigInt(row.block), ...pairColumns(row) } };
}

/** Of more pending blocks of these pairs than one may have, the oldest are not compared any more. */
export async function forgetOldest(calls: NodeCalls, pairs: readonly PairBytes[]): Promise<void> {
  for (const pair of pairs) await forgetOldestOf(calls, pair);
}

async function forgetOldestOf(calls: NodeCalls, { own, other }: PairBytes): Promise<void> {
  const pair = { own: clientBytes(own), other: clientBytes(other) };
  const where = { ...pair, state: PENDING };
  const [newest] = await calls.privateAgreementBlock.findMany({
    where,
    orderBy: { blockNumber: 'desc' },
    skip: MAX_PENDING,
    take: 1,
    select: { blockNumber: true },
  });
  if (newest === undefined) return;
  const { blockNumber } = newest;
  await calls.privateAgreementBlock.deleteMany({ where: { ...where, blockNumber: { lte: blockNumber } } });
  await calls.privateAgreementPair.updateMany({
    where: { ...pair, since: { lte: blockNumber } },
    data: { since: blockNumber + 1n },
  });
}

/**
 * Moves the head back. What could not be told is compared as if it had never been; of what differs the evidence stays, and the
 * statement goes out again.
 */
export async function stateAgain(
  calls: NodeCalls,
  { since, nowMs }: { readonly since: bigint; readonly nowMs: number },
): Promise<void> {
  await calls.privateAgreementHead.updateMany({
    where: { number: { gte: since } },
    data: { number: since - 1n },
  });
  await calls.privateAgreementPair.updateMany({ where: { since: { gt: since } }, data: { since } });
  const blockNumber = { gte: since };
  await calls.privateAgreementBlock.deleteMany({ where: { blockNumber, state: 'undisclosed' } });
  await calls.privateAgreementBlock.updateMany({
    where: { blockNumber, state: 'diverged' },
    data: { sent: 0, nextAt: new Date(nowMs) },
  });
}
