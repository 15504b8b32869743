import modularPower from '../generated/modular-power.js';
import { Instances, type Instance } from '../instances.js';
import type { Work } from '../slices.js';
import { numberOfBytes } from './numbers.js';

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

/** Work in one piece, in products of two limbs: some milliseconds. */
const PIECE = 1_000_000;
/** Bytes of the exponent that the module holds. */
const EXPONENT_ROOM = 1_024;

/** base ^ exponent mod modulus, which is odd; the base is below it and the exponent above zero. */
export function* oddPower(base: bigint, exponent: Uint8Array, modulus: bigint, bits: number): Work<bigint> {
  const limbs = limbsOf(bits);
  const converted = (base << BigInt(limbs * LIMB_BITS)) % modulus;
  return yield* power(converted, exponent, modulus, limbs);
}

/** base ^ exponent mod 2^bits; the exponent is above zero. */
export function* evenPower(base: bigint, exponent: Uint8Array, bits: number): Work<bigint> {
  const limbs = limbsOf(bits);
  return BigInt.asUintN(bits, yield* power(BigInt.asUintN(bits, base), exponent, undefined, limbs));
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
  const hex = value.toString(16).padStart(2 * size, '0');
  bytes.set(Buffer.from(hex, 'hex').reverse(), at);
}

function readLimbs({ bytes }: Instance<Exports>, at: number, size: number): bigint {
  return numberOfBytes(bytes.slice(at, at + size).reverse());
}
