/** Where the module has what it works on; src/wasm/layout.ts has the same. All but these places is the host's. */
import { SIZE } from './field';

/** The four numbers that a permutation works on. */
export const STATE: usize = 64;
/** Poseidon2's internal diagonal and round constants, which the host writes once. */
export const DIAGONAL: usize = 256;
export const CONSTANTS: usize = 1280;
/** Numbers of no meaning after a call. */
const SCRATCH: usize = 448;

// @ts-ignore: a decorator of AssemblyScript
@inline
export function scratch(index: usize): usize {
  return SCRATCH + index * SIZE;
}
