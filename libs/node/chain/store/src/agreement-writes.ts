import { clientBytes } from '@tetrad/db';
import {
  blockColumns,
  contractColumns,
  pairColumns,
  toContract,
  type AgreementBlock,
  type AgreementContract,
  type KeyPair,
} from './agreement-rows.js';
import type { NodeCalls } from './node-client.js';

/** Blocks of a pair that are pending; of more, the oldest are not compared any more. */
export const MAX_PENDING = 1_024;

/** States in which the other party has yet to say something. */
export const PENDING = { in: ['pending', 'comparing'] };

export function blockKey(row: KeyPair & Pick<AgreementBlock, 'block'>) {
  return { blockNumber_own_other: { blockNumber: BigInt(row.block), ...pairColumns(row) } };
}

/** Stores a row, in place of one of before. */
export async function saveBlock(calls: NodeCalls, row: AgreementBlock): Promise<void> {
  const columns = blockColumns(row);
  await calls.privateAgreementBlock.upsert({ where: blockKey(row), create: columns, update: columns });
}

/** Stores the rows of one block, all in one statement, in place of those of before. */
export async function saveBlocks(calls: NodeCalls, rows: readonly AgreementBlock[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  await calls.privateAgreementBlock.deleteMany({
    where: { blockNumber: BigInt(first.block), OR: rows.map(pairColumns) },
  });
  await calls.privateAgreementBlock.createMany({ data: rows.map(blockColumns) });
}

/** As `saveBlocks`; a contract that was shared stays so. */
export async function saveContracts(calls: NodeCalls, rows: readonly AgreementContract[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = rows.map(contractColumns);
  const where = { OR: columns.map(({ contract, own, other }) => ({ contract, own, other })) };
  const shared = await calls.privateAgreementContract.findMany({ where: { ...where, isShared: true } });
  const sharedBefore = new Set(shared.map((row) => contractName(toContract(row))));
  await calls.privateAgreementContract.deleteMany({ where });
  await calls.privateAgreementContract.createMany({
    data: rows.map((row, index) => ({
      ...(columns[index] as (typeof columns)[number]),
      isShared: row.isShared || sharedBefore.has(contractName(row)),
    })),
  });
}

function contractName({ contract, own, other }: AgreementContract): string {
  return `${contract} ${own} ${other}`;
}

/** Of more pending blocks than a pair may have, the oldest are not compared any more. */
export async function forgetOldest(calls: NodeCalls, pairs: readonly KeyPair[]): Promise<void> {
  if (pairs.length === 0) return;
  const full = await calls.privateAgreementBlock.groupBy({
    by: ['own', 'other'],
    where: { state: PENDING, OR: pairs.map(pairColumns) },
    having: { blockNumber: { _count: { gt: MAX_PENDING } } },
  });
  for (const pair of full) await forgetOldestOf(calls, pair);
}

async function forgetOldestOf(
  calls: NodeCalls,
  { own, other }: { readonly own: Uint8Array; readonly other: Uint8Array },
): Promise<void> {
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

/** Rows that are sent again by then anyway. */
const SOON_MS = 5_000;

/** Has rows of which the party has yet to say something sent at once; those that were sent least often first. */
export async function hastenRepeats(
  calls: NodeCalls,
  pair: KeyPair,
  { nowMs, max }: { readonly nowMs: number; readonly max: number },
): Promise<void> {
  const rows = await calls.privateAgreementBlock.findMany({
    where: {
      ...pairColumns(pair),
      state: PENDING,
      ownStatement: { not: null },
      nextAt: { gt: new Date(nowMs + SOON_MS) },
    },
    orderBy: [{ sends: 'asc' }, { blockNumber: 'asc' }],
    select: { blockNumber: true },
    take: max,
  });
  if (rows.length === 0) return;
  await calls.privateAgreementBlock.updateMany({
    where: { ...pairColumns(pair), blockNumber: { in: rows.map(({ blockNumber }) => blockNumber) } },
    data: { nextAt: new Date(nowMs) },
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
