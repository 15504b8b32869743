import { padded } from './input.js';
import { modularPower } from './modexp/modular-power.js';
import type { ModexpGas } from './modexp/gas.js';
import { bytesOfNumber, numberOfBytes } from './modexp/numbers.js';
import { HEAD, readLengths, type Lengths } from './modexp/operands.js';
import type { Precompile } from './precompile.js';
import { runInSlices, type Work } from './slices.js';

/**
 * Modular power. Source: EIP-198; upper bounds of EIP-7823 since Osaka.
 *
 *     in:   base length (32) ‖ exponent length (32) ‖ modulus length (32) ‖ base ‖ exponent ‖ modulus;
 *           missing bytes are zero
 *     out:  base ^ exponent mod modulus, as long as the modulus; zero modulo zero
 *
 * @param longest - bytes that each operand may have; a longer one fails
 */
export const modexp = (gas: ModexpGas, longest = Infinity): Precompile => ({
  gas,
  run(input, pace) {
    const lengths = readLengths(input);
    if (Math.max(lengths.base, lengths.exponent, lengths.modulus) > longest) return undefined;
    // An exponent of any length costs nothing here.
    if (lengths.modulus === 0) return new Uint8Array(0);
    return runInSlices(compute(input, lengths), pace);
  },
});

/** Copies its operands before it first yields. */
function* compute(input: Uint8Array, lengths: Lengths): Work<Uint8Array> {
  const exponentAt = HEAD + lengths.base;
  const modulus = numberOfBytes(padded(input, exponentAt + lengths.exponent, lengths.modulus));
  if (modulus === 0n) return new Uint8Array(lengths.modulus);
  const base = numberOfBytes(padded(input, HEAD, lengths.base));
  const exponent = padded(input, exponentAt, lengths.exponent).slice();
  return bytesOfNumber(yield* modularPower(base, exponent, modulus), lengths.modulus);
}
