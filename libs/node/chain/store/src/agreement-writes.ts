import {
  blockColumns,
  contractColumns,
  pairColumns,
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

/** A contract that was shared stays so. */
export async function saveContract(calls: NodeCalls, row: AgreementContract): Promise<void> {
  const { isShared, ...columns } = contractColumns(row);
  const { contract, own, other } = columns;
  await calls.privateAgreementContract.upsert({
    where: { contract_own_other: { contract, own, other } },
    create: { ...columns, isShared },
    update: isShared ? { ...columns, isShared } : columns,
  });
}

/** Of more pending blocks than a pair may have, the oldest are not compared any more. */
export async function forgetOldest(calls: NodeCalls, pair: KeyPair): Promise<void> {
  const where = { ...pairColumns(pair), state: PENDING };
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
    where: { ...pairColumns(pair), since: { lte: blockNumber } },
    data: { since: blockNumber + 1n },
  });
}
