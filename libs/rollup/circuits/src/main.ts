import { BUILT_SIZES, buildCircuit, removeOutdatedCircuits } from './compile-circuit.js';
import { buildLeafCircuit } from './leaf-circuit.js';

/** Makes the circuits that the proving points of the repository are enough for, or those of the sizes named; part of the build. */
const named = process.argv.slice(2).map(Number);
for (const size of named.length > 0 ? named : BUILT_SIZES) {
  for (const hasConsents of [true, false])
    if (await buildCircuit(size, { hasConsents }))
      process.stderr.write(
        `compiled rollup/circuits/${hasConsents ? '' : 'earlier-'}batch for ${size} operations\n`,
      );
}
if (await buildLeafCircuit()) process.stderr.write('compiled rollup/circuits/leaves\n');
const outdated = await removeOutdatedCircuits([...BUILT_SIZES, ...named]);
if (outdated.length > 0)
  process.stderr.write(
    `removed the circuits for ${outdated.join(', ')} operations, whose sources have changed: rollup-operator build-sizes --sizes ${outdated.join(',')} makes them\n`,
  );
