import type { CircuitError } from './circuit-cache.js';
import type { WitnessError } from './prover.js';

/** Why there is no proof, told apart by `code`. */
export type ProvingError = CircuitError | WitnessError;
