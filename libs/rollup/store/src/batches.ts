import { clientBytes } from '@tetrad/db';
import { encodeWord } from '@tetrad/rollup-crypto';
import { hashToBytes, type Hash } from '@tetrad/types';
import type { BatchChange, BatchPlaceInState } from './batch-rows.js';
import type { Prisma } from './generated/client.js';
import type { RollupCalls } from './rollup-client.js';

/**
 * Moves a batch from one state to another; columns that the change does not name stay. The proving data of a final batch is
 * deleted.
 * @returns false, and nothing is changed, when it is not in that state (any more)
 */
export async function changeBatch(
  calls: RollupCalls,
  { height, from, stateRoot }: BatchPlaceInState,
  change: BatchChange,
): Promise<boolean> {
  const { count } = await calls.batch.updateMany({
    where: { height, state: from, ...(stateRoot === undefined ? {} : { stateRoot: wordBytes(stateRoot) }) },
    data: columnsOfChange(change),
  });
  return count === 1;
}

function columnsOfChange(change: BatchChange): Prisma.BatchUpdateManyMutationInput {
  const { state, proof, transactionHash, blockNumber, blockHash, failure } = change;
  return {
    state,
    failure: failure ?? null,
    ...(proof === undefined ? {} : { proof: clientBytes(proof) }),
    ...(transactionHash === undefined ? {} : { transactionHash: hashBytes(transactionHash) }),
    ...(blockNumber === undefined ? {} : { blockNumber }),
    ...(blockHash === undefined ? {} : { blockHash: hashBytes(blockHash) }),
    ...(state === 'final' ? { proving: null } : {}),
  };
}

/** What the batch is proved with; undefined before it is assembled, and once it is final. */
export async function readProving(calls: RollupCalls, height: number): Promise<Uint8Array | undefined> {
  const row = await calls.batch.findUnique({ where: { height }, select: { proving: true } });
  return row?.proving ?? undefined;
}

/** The batches that were closed last: how fast they follow each other. */
export async function listLastSealed(
  calls: RollupCalls,
  limit: number,
): Promise<{ readonly operations: number; readonly sealedAt: Date }[]> {
  const rows = await calls.batch.findMany({
    where: { sealedAt: { not: null } },
    orderBy: { height: 'desc' },
    take: limit,
    select: { operations: true, sealedAt: true },
  });
  return rows.flatMap(({ operations, sealedAt }) => (sealedAt === null ? [] : [{ operations, sealedAt }]));
}

const wordBytes = (word: bigint) => clientBytes(encodeWord(word));
const hashBytes = (hash: Hash) => clientBytes(hashToBytes(hash));
