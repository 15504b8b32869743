import type { WorldState } from '@tetrad/node-execution';
import { TwoWorlds } from '../execution/two-worlds.js';

/**
 * Hooks for executions that begin in a private contract and whose changes are discarded.
 *
 * In:  privateWorld — the private state that the executions read; it is not changed
 * Out: the hooks for a public world in which such an execution runs; each begins with a fresh copy of the private world
 */
export function overBothWorlds(privateWorld: WorldState): (publicWorld: WorldState['evm']) => TwoWorlds {
  const { evm } = privateWorld;
  return (publicWorld) => new TwoWorlds(publicWorld, evm.copy(evm.source, publicWorld.journal));
}
