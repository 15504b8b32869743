import { precompiles } from '@tetrad/node-precompiles';
import { CodeCache, Journal, MemorySource, World } from '@tetrad/node-evm';
import { FUZZ_BLOCK } from '../../../evm/test/fuzz/own-run.js';
import type { Scenario } from '../../../evm/test/fuzz/random-world.js';
import type { Stage } from '../../src/index.js';

/**
 * The world of a scenario, in which nothing has run.
 * @param cold - whether every read is missing at first
 */
export function stageOf({ fork, pre }: Scenario, cold = false): Stage {
  const world = new World(new MemorySource(pre, cold), new Journal(), new CodeCache());
  return { context: { fork, block: FUZZ_BLOCK, precompiles }, world };
}
