import { isDeepStrictEqual } from 'node:util';
import { seededRandom } from '@tetrad/testkit';
import type { Precompiles } from '../../src/index.js';
import { isSameFailure, type Description } from './description.js';
import { runOracle } from './oracle.js';
import { executionGasOf, runOwn } from './own-run.js';
import { scenarioOf } from './random-world.js';

/** A difference between our interpreter and EthereumJS in one scenario. */
export interface Difference {
  readonly seed: number;
  readonly fork: string;
  readonly own: Description;
  readonly oracle: Description;
}

/** Executes the scenario of a seed in both; undefined when gas, output, failure, refund, logs, access sets and state agree. */
export async function differenceAt(seed: number, precompiles: Precompiles): Promise<Difference | undefined> {
  const scenario = scenarioOf(seededRandom(seed));
  const own = await runOwn(scenario, precompiles);
  const oracle = await runOracle(scenario, { executionGas: executionGasOf(scenario) });
  const agree =
    isSameFailure(own.failure, oracle.failure) &&
    isDeepStrictEqual(withoutFailure(own), withoutFailure(oracle));
  return agree ? undefined : { seed, fork: scenario.fork, own, oracle };
}

/** The refund of a failed message is not compared. */
function withoutFailure({ failure, refund, ...rest }: Description) {
  return { ...rest, refund: failure === undefined ? refund : 0 };
}
