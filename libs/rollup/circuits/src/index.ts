export {
  NO_OP_WITNESS,
  circuitInputs,
  type BatchWitness,
  type CircuitValue,
  type OperationWitness,
} from './batch-witness.js';
export {
  CircuitError,
  SRS_FOLDER,
  listCircuits,
  loadCircuit,
  type Circuit,
  rollupFolder,
} from './circuit-cache.js';
export { BUILT_SIZES, buildCircuit, circuitVersionOf, compileCircuit } from './compile-circuit.js';
export { buildLeafCircuit } from './leaf-circuit.js';
export { LEAVES_IN_PROOF, LeafProver, type LeafStatement, type OpenedLeaf } from './leaf-prover.js';
export { BatchProver, type ProverOptions } from './prover.js';
export { WitnessError, WitnessSolver } from './solve-witness.js';
export { fetchPoints } from './points/fetch-points.js';
export { pointsFolderOf } from './points/bb-folder.js';
export { assertEnoughPoints } from './points/enough-points.js';
export { pointsFor } from './points/points-file.js';
export { SizedProvers } from './sized-provers.js';
export type { ProvingError } from './proving-error.js';
export { openProverLibrary, type Proof, type ProverLibrary, type VerifierKind } from './prover-library.js';
export {
  NO_CIPHERTEXT,
  bindCiphertexts,
  operationHeader,
  parseOperationHeader,
  publicInputWords,
  type CiphertextBinding,
  type PublicInputs,
  type PublicOperation,
} from './public-inputs.js';
