import { isDatabaseUnavailable } from '@tetrad/db';
import { StatePruning } from '@tetrad/node-ledger';
import type { ServiceEnvironment } from '@tetrad/service';
import type { NodeModule } from './node-module.js';
import type { OpenChain } from './open-chain.js';

/**
 * Starts to remove the states of old blocks, where the operator wants that.
 * @param hasPrivateState - whether this node keeps private state, whose blocks stay as long
 * @throws OperatorError
 */
export async function openStatePruning(
  { logger, metrics }: Pick<ServiceEnvironment, 'logger' | 'metrics'>,
  { ledger, store }: OpenChain,
  hasPrivateState: boolean,
): Promise<NodeModule<StatePruning | undefined>> {
  if (ledger.horizon.blocks === undefined)
    return { parts: undefined, readiness: {}, close: () => Promise.resolve() };
  await store.history.assertMayEmpty();
  const settings = { ledger, hasPrivateState, isDatabaseUnavailable, logger, metrics };
  const pruning = StatePruning.start({ ...settings, store: store.history });
  return { parts: pruning, readiness: {}, close: () => pruning.close() };
}
