import { BUILT_SIZES } from '@tetrad/rollup-circuits';
import { generateVerifiers, removeOutdatedVerifiers } from './generate-verifiers.js';

/** Writes the verifiers of the circuits that every build has, or of the sizes named: after the circuits, before Solidity. */
const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : BUILT_SIZES;
await generateVerifiers(sizes);
await removeOutdatedVerifiers();
