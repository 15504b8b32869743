import type { CircuitError } from './circuit-cache.js';
import type { WitnessError } from './solve-witness.js';

/** Why a proof cannot be made; `code` distinguishes the reasons. */
export type ProvingError = CircuitError | WitnessError;
