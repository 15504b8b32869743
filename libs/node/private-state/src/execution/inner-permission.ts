import type { MayTransact, TransactionPlace } from '@tetrad/node-execution';
import type { PrivateBlockParts } from './private-block.js';

/** The check for transactions behind markers of a block. In: mayTransact — undefined on a chain without permissions */
export function innerPermission(
  mayTransact: MayTransact | undefined,
  place: TransactionPlace,
): PrivateBlockParts['isPermitted'] {
  return mayTransact && (async (inner) => (await mayTransact(inner, place)) === undefined);
}
