import { BUILT_SIZES, buildCircuit } from './compile-circuit.js';
import { buildLeafCircuit } from './leaf-circuit.js';

/** Makes the circuits that the proving points of the repository are enough for, or those of the sizes named; part of the build. */
const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : BUILT_SIZES;
for (const size of sizes) {
  if (await buildCircuit(size))
    process.stderr.write(`compiled rollup/circuits/batch for ${size} operations\n`);
}
if (await buildLeafCircuit()) process.stderr.write('compiled rollup/circuits/leaves\n');
