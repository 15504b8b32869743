// By its path: the package name is mapped to this file.
import * as fastCheck from '../../../node_modules/fast-check/lib/fast-check.js';
import { testSeed } from '../src/test-seed.js';

fastCheck.configureGlobal({ ...fastCheck.readConfigureGlobal(), seed: testSeed() });

export * from '../../../node_modules/fast-check/lib/fast-check.js';
export default fastCheck.default;
