import type { RollupStore } from '@tetrad/rollup-store';
import { RequestError } from '@tetrad/types';

/**
 * Refuses what no batch will execute any more. What was accepted before the freeze, and was not in a batch by then, never is.
 *
 * @param store - what the follower of the contract wrote
 * @throws RequestError (ROLLUP_FROZEN) once the contract is frozen
 */
export async function assertServed(store: Pick<RollupStore, 'findFrozen'>): Promise<void> {
  const frozen = await store.findFrozen();
  if (frozen === undefined) return;
  const { height } = frozen;
  throw new RequestError(
    'ROLLUP_FROZEN',
    `the contract was frozen after batch ${height}: nothing is executed any more, and holders withdraw from the contract`,
    { height },
  );
}
