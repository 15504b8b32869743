import type { MayTransact, TransactionPlace } from '@tetrad/node-execution';
import type { PrivateBlockParts } from './private-block.js';

/** Whether what is behind markers of a block may be executed. In: mayTransact — undefined where everybody may */
export function innerPermission(
  mayTransact: MayTransact | undefined,
  place: TransactionPlace,
): PrivateBlockParts['isPermitted'] {
  return mayTransact && (async (inner) => (await mayTransact(inner, place)) === undefined);
}
