import { adjustedExponentLength, readLengths, type Lengths } from './operands.js';

/** Gas of a modular power for an input. */
export type ModexpGas = (input: Uint8Array) => number;

/** Source: EIP-198. */
export const byzantiumModexpGas: ModexpGas = (input) => {
  const lengths = readLengths(input);
  const iterations = Math.max(adjustedExponentLength(input, lengths, 8), 1);
  return price(complexityOfByzantium(longest(lengths)), iterations, 20n);
};

function complexityOfByzantium(length: number): number {
  if (length <= 64) return length ** 2;
  if (length <= 1_024) return Math.floor(length ** 2 / 4) + 96 * length - 3_072;
  return Math.floor(length ** 2 / 16) + 480 * length - 199_680;
}

/** Source: EIP-2565. */
export const berlinModexpGas: ModexpGas = (input) => {
  const lengths = readLengths(input);
  const iterations = Math.max(adjustedExponentLength(input, lengths, 8), 1);
  return Math.max(200, price(wordsSquared(lengths), iterations, 3n));
};

/** Source: EIP-7883. */
export const osakaModexpGas: ModexpGas = (input) => {
  const lengths = readLengths(input);
  const complexity = longest(lengths) > 32 ? 2 * wordsSquared(lengths) : 16;
  const iterations = Math.max(adjustedExponentLength(input, lengths, 16), 1);
  return Math.max(500, price(complexity, iterations, 1n));
};

function longest({ base, modulus }: Lengths): number {
  return Math.max(base, modulus);
}

/** Square of the number of 8-byte words. */
function wordsSquared(lengths: Lengths): number {
  return Math.ceil(longest(lengths) / 8) ** 2;
}

/** ⌊complexity · iterations / divisor⌋, Infinity when no number holds it exactly. */
function price(complexity: number, iterations: number, divisor: bigint): number {
  if (complexity === 0) return 0;
  const product = complexity * iterations;
  if (product <= Number.MAX_SAFE_INTEGER) return Math.floor(product / Number(divisor));
  // Even a price of a divisor's part is beyond all gas, and a complexity may be rounded.
  if (!(product <= 2 ** 58)) return Infinity;
  const exact = (BigInt(complexity) * BigInt(iterations)) / divisor;
  return exact <= Number.MAX_SAFE_INTEGER ? Number(exact) : Infinity;
}
