import type { WorldState } from '@tetrad/node-execution';
import { TwoWorlds } from '../execution/two-worlds.js';

/**
 * Hooks for executions that begin in a private contract and are thrown away.
 *
 * In:  privateWorld — with what the executions are to find in it; it stays as it is
 * Out: the hooks for a public world in which such an execution runs; each begins with private state anew
 */
export function overBothWorlds(privateWorld: WorldState): (publicWorld: WorldState['evm']) => TwoWorlds {
  const { evm } = privateWorld;
  return (publicWorld) => new TwoWorlds(publicWorld, evm.copy(evm.source, publicWorld.journal));
}
