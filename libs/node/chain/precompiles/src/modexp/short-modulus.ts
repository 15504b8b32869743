import shortPower from '../generated/short-power.js';
import { Instances, type Instance } from '../instances.js';
import type { Work } from '../slices.js';

/** assembly/short-power.ts */
interface Exports {
  begin(isShort: number): void;
  raise(bytes: number): void;
  finish(): void;
}

const instances = new Instances<Exports>(shortPower);

/** Bits of a modulus for which there is room. */
export const SHORT_MODULUS = 256;
/** Bits of a modulus for which five limbs are enough. */
const FIVE_LIMBS = 143;
const LIMB_BITS = 29;
/** Where the module has its operands and the result. */
const MODULUS = 0;
const BASE = 32;
const RESULT = 64;
const EXPONENT = 1_024;
/** Bytes of the exponent in one piece, as many as the module holds: less than a millisecond. */
const PIECE = 1_024;

/**
 * base ^ exponent mod modulus, which is odd and has at most 256 bits; the base is below it and the exponent above zero.
 *
 * Without carries between the limbs, and with products written out, it takes half of what loops over limbs of 32
 * bits take.
 */
export function* powerOfShort(
  base: bigint,
  exponent: Uint8Array,
  modulus: bigint,
  bits: number,
): Work<bigint> {
  const instance = instances.take();
  try {
    const { exports, bytes } = instance;
    const isShort = bits <= FIVE_LIMBS;
    write(instance, MODULUS, modulus);
    write(instance, BASE, (base << BigInt(LIMB_BITS * (isShort ? 5 : 9))) % modulus);
    exports.begin(isShort ? 1 : 0);
    for (let at = 0; at < exponent.length; at += PIECE) {
      if (at > 0) yield;
      const part = exponent.subarray(at, at + PIECE);
      bytes.set(part, EXPONENT);
      exports.raise(part.length);
    }
    exports.finish();
    const result = read(instance);
    return result === modulus ? 0n : result;
  } finally {
    instances.giveBack(instance);
  }
}

function write({ bytes }: Instance<Exports>, at: number, value: bigint): void {
  const view = new DataView(bytes.buffer, at, 32);
  for (let word = 0; word < 4; word += 1) view.setBigUint64(8 * word, value >> BigInt(64 * word), true);
}

function read({ bytes }: Instance<Exports>): bigint {
  const view = new DataView(bytes.buffer, RESULT, 32);
  const word = (index: number) => view.getBigUint64(8 * index, true);
  return (((((word(3) << 64n) | word(2)) << 64n) | word(1)) << 64n) | word(0);
}
