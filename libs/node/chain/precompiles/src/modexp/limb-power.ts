import modularPower from '../generated/modular-power.js';
import { Instances, type Instance } from '../instances.js';
import type { Work } from '../slices.js';
import { numberOfBytes } from './numbers.js';
import { SHORT_MODULUS, powerOfShort } from './short-modulus.js';

/** assembly/modular-power.ts */
interface Exports {
  layOut(limbs: number): void;
  modulusAt(): number;
  exponentAt(): number;
  baseAt(): number;
  begin(isOdd: number): void;
  raise(bytes: number): void;
  finish(): number;
}

const instances = new Instances<Exports>(modularPower);

const LIMB_BITS = 32;
/** Bytes of the shortest numbers, which need no text to be converted. */
const WORD = 8;

/** Work in one piece, in products of two limbs: some milliseconds. */
const PIECE = 1_000_000;
/** Bytes of the exponent that the module holds. */
const EXPONENT_ROOM = 1_024;

/** base ^ exponent mod modulus, which is odd; the base is below it and the exponent above zero. */
export function* oddPower(base: bigint, exponent: Uint8Array, modulus: bigint, bits: number): Work<bigint> {
  const limbs = limbsOf(bits);
  if (limbs > 2 && bits <= SHORT_MODULUS) return yield* powerOfShort(base, exponent, modulus, bits);
  const converted = (base << BigInt(limbs * LIMB_BITS)) % modulus;
  return yield* power(converted, exponent, modulus, limbs);
}

/**
 * base ^ exponent mod 2^bits; the exponent is at least `bits`.
 *
 * An even base has too many twos then. Powers of an odd one repeat after 2^bits steps at most, so that the last bits of
 * the exponent decide.
 */
export function* evenPower(base: bigint, exponent: Uint8Array, bits: number): Work<bigint> {
  if ((base & 1n) === 0n) return 0n;
  // The square of an odd number is one modulo eight.
  if (bits <= 3) return ((exponent.at(-1) as number) & 1) === 1 ? BigInt.asUintN(bits, base) : 1n;
  const tail = exponent.subarray(Math.max(0, exponent.length - Math.ceil(bits / 8)));
  if (tail.every((byte) => byte === 0)) return 1n;
  const limbs = limbsOf(bits);
  return BigInt.asUintN(bits, yield* power(BigInt.asUintN(bits, base), tail, undefined, limbs));
}

/** Two limbs at least: the module keeps two in a register. */
function limbsOf(bits: number): number {
  return Math.max(2, Math.ceil(bits / LIMB_BITS));
}

function* power(
  base: bigint,
  exponent: Uint8Array,
  modulus: bigint | undefined,
  limbs: number,
): Work<bigint> {
  const instance = instances.take();
  try {
    const { exports, bytes } = instance;
    const size = limbs * 4;
    exports.layOut(limbs);
    if (modulus !== undefined) writeLimbs(instance, exports.modulusAt(), modulus, size);
    writeLimbs(instance, exports.baseAt(), base, size);
    exports.begin(modulus === undefined ? 0 : 1);
    const piece = Math.max(1, Math.min(EXPONENT_ROOM, Math.floor(PIECE / (20 * limbs * limbs))));
    for (let at = 0; at < exponent.length; at += piece) {
      if (at > 0) yield;
      const part = exponent.subarray(at, at + piece);
      bytes.set(part, exports.exponentAt());
      exports.raise(part.length);
    }
    return readLimbs(instance, exports.finish(), size);
  } finally {
    instances.giveBack(instance);
  }
}

function writeLimbs({ bytes }: Instance<Exports>, at: number, value: bigint, size: number): void {
  if (size === WORD) {
    new DataView(bytes.buffer).setBigUint64(at, value, true);
    return;
  }
  const hex = value.toString(16).padStart(2 * size, '0');
  bytes.set(Buffer.from(hex, 'hex').reverse(), at);
}

function readLimbs({ bytes }: Instance<Exports>, at: number, size: number): bigint {
  if (size === WORD) return new DataView(bytes.buffer).getBigUint64(at, true);
  return numberOfBytes(bytes.slice(at, at + size).reverse());
}
