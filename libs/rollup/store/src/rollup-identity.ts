import { decodePoint, encodePoint, type Point } from '@tetrad/rollup-crypto';
import { addressFromBytes, addressToBytes, type Address } from '@tetrad/types';
import type { PrismaClient } from './generated/client.js';
import { RollupStoreError } from './rollup-store-error.js';

/** Which rollup the rows are of. */
export interface RollupIdentity {
  readonly chainId: bigint;
  readonly contract: Address;
  /** The operator's half of the joint keys of new accounts. */
  readonly operatorKey: Point;
  /** Operations of a batch when the database was made; each batch has its own size, so this may change. */
  readonly batchSize: number;
}

export async function findIdentity(prisma: PrismaClient): Promise<RollupIdentity | undefined> {
  const row = await prisma.rollup.findUnique({ where: { id: 1 } });
  if (row === null) return undefined;
  const operatorKey = decodePoint(row.operatorKey);
  if (operatorKey === undefined) throw new RollupStoreError('the rollup row of the database is damaged');
  return {
    ...{
      chainId: row.chainId,
      contract: addressFromBytes(row.contract),
      operatorKey,
      batchSize: row.batchSize,
    },
  };
}

/**
 * Stores which rollup the database is of, the first time.
 *
 * In:    formerKeys — keys that the operator had before: a database with one of them is the same rollup's
 * Fails: RollupStoreError when it is of another one: rows of two rollups must not be mixed
 */
export async function claimIdentity(
  prisma: PrismaClient,
  identity: RollupIdentity,
  formerKeys: readonly Point[],
): Promise<void> {
  const { chainId, contract, operatorKey, batchSize } = identity;
  const data = {
    ...{ id: 1, chainId, contract: Buffer.from(addressToBytes(contract)), batchSize },
    operatorKey: Buffer.from(encodePoint(operatorKey)),
  };
  await prisma.rollup.createMany({ data, skipDuplicates: true });
  const stored = (await findIdentity(prisma)) as RollupIdentity;
  const difference = differenceOf(stored, identity, formerKeys);
  if (difference !== undefined)
    throw new RollupStoreError(`the database belongs to another rollup: ${difference}`);
}

/** Another key of the same operator, once the contract has it. */
export async function changeOperatorKey(prisma: PrismaClient, operatorKey: Point): Promise<void> {
  const data = { operatorKey: Buffer.from(encodePoint(operatorKey)) };
  await prisma.rollup.update({ where: { id: 1 }, data });
}

function differenceOf(
  stored: RollupIdentity,
  asked: RollupIdentity,
  formerKeys: readonly Point[],
): string | undefined {
  if (stored.chainId !== asked.chainId) return `its chain is ${stored.chainId}, not ${asked.chainId}`;
  if (stored.contract !== asked.contract) return `its contract is ${stored.contract}, not ${asked.contract}`;
  const isStored = ({ x, y }: Point) => stored.operatorKey.x === x && stored.operatorKey.y === y;
  if (![asked.operatorKey, ...formerKeys].some(isStored))
    return 'its operator key is another one, and not of --former-operator-key-files';
  return undefined;
}
