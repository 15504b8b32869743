// AssemblyScript: arithmetic of the rollup. Numbers of the scalar field of BN254, the permutation of Poseidon2 over them, and
// sums of points of Grumpkin. All arguments are addresses. Time depends on secrets where the host chooses what to call
// by them (docs/adr/0101), not within a function.

export { add, subtract } from './field-engine/field';
export { multiply } from './field-engine/multiply';
export { square } from './field-engine/square';
export { addAffine, addPoint, double } from './field-engine/curve';
export { permute } from './field-engine/poseidon2';
export { pack, unpack } from './field-engine/words';
