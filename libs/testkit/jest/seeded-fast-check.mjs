// By its path: the package name is mapped to this file.
import * as fastCheck from '../../../node_modules/fast-check/lib/fast-check.js';
import { testSeed } from '../src/test-seed.js';

/**
 * Values of a property in a run with the usual seed, which are the same each time. A search, with a seed that was asked for, takes as
 * many as the property says.
 */
const MAX_USUAL_RUNS = 300;
const isSearch = (process.env.TETRAD_TEST_SEED ?? '') !== '';

fastCheck.configureGlobal({ ...fastCheck.readConfigureGlobal(), seed: testSeed() });

export * from '../../../node_modules/fast-check/lib/fast-check.js';

export function assert(property, parameters = {}) {
  const { numRuns } = parameters;
  const isLong = numRuns > MAX_USUAL_RUNS && !isSearch;
  return fastCheck.assert(property, isLong ? { ...parameters, numRuns: MAX_USUAL_RUNS } : parameters);
}

export default { ...fastCheck.default, assert };
