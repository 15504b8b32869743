import { clientBytes } from '@tetrad/db';
import { encodePoint, type Point } from '@tetrad/rollup-crypto';
import { findIdentity, insertIdentity } from './hot/read-at-start.js';
import type { RollupCalls } from './rollup-client.js';
import type { RollupIdentity } from './rollup-identity.js';
import { RollupStoreError } from './rollup-store-error.js';
import type { Statements } from './statements.js';

/**
 * Stores which rollup the database is of, the first time.
 * @param formerKeys - keys that the operator had before: a database with one of them is the same rollup's
 * @throws RollupStoreError when it is of another one: rows of two rollups must not be mixed
 */
export async function claimIdentity(
  to: Statements,
  identity: RollupIdentity,
  formerKeys: readonly Point[],
): Promise<void> {
  await insertIdentity(to, identity);
  const stored = (await findIdentity(to)) as RollupIdentity;
  const difference = differenceOf(stored, identity, formerKeys);
  if (difference !== undefined)
    throw new RollupStoreError(`the database belongs to another rollup: ${difference}`);
}

/** Another key of the same operator, once the contract has it. */
export async function changeOperatorKey(calls: RollupCalls, operatorKey: Point): Promise<void> {
  const { count } = await calls.rollup.updateMany({
    where: { id: 1 },
    data: { operatorKey: clientBytes(encodePoint(operatorKey)) },
  });
  if (count !== 1) throw new RollupStoreError('the database is of no rollup yet');
}

/** How holders leave the contract, as the batcher has read it for processes that reach no chain. */
export async function changeExitRules(calls: RollupCalls, exitRules: string): Promise<void> {
  await calls.rollup.updateMany({ where: { id: 1 }, data: { exitRules } });
}

/** @returns undefined until a batcher has read it */
export async function findExitRules(calls: RollupCalls): Promise<string | undefined> {
  const row = await calls.rollup.findUnique({ where: { id: 1 }, select: { exitRules: true } });
  return row?.exitRules ?? undefined;
}

/** Whether the contract has consents, as the batcher has read it for processes that reach no chain. */
export async function changeConsents(calls: RollupCalls, hasConsents: boolean): Promise<void> {
  await calls.rollup.updateMany({ where: { id: 1 }, data: { hasConsents } });
}

/** @returns undefined until a batcher has read it */
export async function findConsents(calls: RollupCalls): Promise<boolean | undefined> {
  const row = await calls.rollup.findUnique({ where: { id: 1 }, select: { hasConsents: true } });
  return row?.hasConsents ?? undefined;
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
