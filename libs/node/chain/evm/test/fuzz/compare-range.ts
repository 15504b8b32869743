import { FORK_NAMES } from '../../src/index.js';
import { EthereumjsPrecompiles } from '../ethereumjs-precompiles.js';
import { differenceAt } from './difference-at.js';

/**
 * Compares the scenarios of a range of seeds, without Jest, which takes five times as long. `bench evm-fuzz` runs it.
 *
 *   node compare-range.js FIRST_SEED SCENARIOS
 *
 * Prints a line of JSON for each difference; exits with 1 if there was one.
 */
const [first, scenarios] = process.argv.slice(2).map(Number) as [number, number];
const precompiles = await EthereumjsPrecompiles.load(FORK_NAMES);
for (let seed = first; seed < first + scenarios; seed++) {
  const difference = await differenceAt(seed, precompiles);
  if (difference === undefined) continue;
  process.exitCode = 1;
  process.stdout.write(`${JSON.stringify(difference)}\n`);
}
