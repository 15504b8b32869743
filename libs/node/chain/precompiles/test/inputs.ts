import { concatBytes, numberToBytesBE } from '@noble/curves/utils.js';

/** Bytes and choices that are the same for the same seed. */
export class Inputs {
  constructor(private readonly random: () => number) {}

  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256));
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  /** A scalar: often one at an edge of the group of that order. */
  scalar(order: bigint): bigint {
    const value = BigInt(`0x${Buffer.from(this.bytes(32)).toString('hex')}`);
    return this.pick([value, value, value % order, 0n, 1n, order - 1n, order, order + 1n, 2n ** 256n - 1n]);
  }

  /** The input with a fault of a kind that an attacker would try. */
  mutate(input: Uint8Array): Uint8Array {
    const copy = Uint8Array.from(input);
    const at = this.below(Math.max(copy.length, 1));
    const kind = this.below(5);
    if (kind === 0 && copy.length > 0) copy[at] = (copy[at] as number) ^ (1 << this.below(8));
    if (kind === 1) return copy.slice(0, at);
    if (kind === 2) return concatBytes(copy, this.bytes(1 + this.below(40)));
    if (kind === 3) copy.fill(0, at - (at % 32), at - (at % 32) + 32);
    if (kind === 4) copy.fill(255, at - (at % 32), at - (at % 32) + 32);
    return copy;
  }
}

export function word(value: bigint | number, size = 32): Uint8Array {
  return numberToBytesBE(BigInt(value), size);
}

/** base length ‖ exponent length ‖ modulus length ‖ base ‖ exponent ‖ modulus */
export function modexpInput(base: Uint8Array, exponent: Uint8Array, modulus: Uint8Array): Uint8Array {
  return concatBytes(...[base, exponent, modulus].map(({ length }) => word(length)), base, exponent, modulus);
}
