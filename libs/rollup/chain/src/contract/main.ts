import { BUILT_SIZES } from '@tetrad/rollup-circuits';
import { generateVerifiers } from './generate-verifiers.js';

/** Part of the build: after the circuits, before Solidity. */
await generateVerifiers(BUILT_SIZES);
