import type { Address, Hash } from '@tetrad/types';

/**
 * A 256-bit word: a JavaScript number if and only if it is below 2^53, a BigInt otherwise.
 *
 * One value has one form, so that `===` compares words, and the small words of which most code consists are
 * added and compared without an allocation.
 */
export type Word = number | bigint;

/** Words from here on are BigInts. */
export const NUMBER_LIMIT = 2 ** 53;
export const BIG_NUMBER_LIMIT = 2n ** 53n;
/** One more than the largest word. */
export const MODULUS = 2n ** 256n;
export const SIGN_BIT = 2n ** 255n;
export const MAX_WORD = MODULUS - 1n;

/** The word of a BigInt that is in range. */
export function toWord(value: bigint): Word {
  return value < BIG_NUMBER_LIMIT ? Number(value) : value;
}

/** The word of any BigInt, modulo 2^256. */
export function wrapWord(value: bigint): Word {
  return toWord(BigInt.asUintN(256, value));
}

/** The word as a count; Infinity for every count that nothing can hold. */
export function toCount(word: Word): number {
  return typeof word === 'number' ? word : Infinity;
}

const scratch = new Uint8Array(32);
const scratchView = new DataView(scratch.buffer);

/** Reads a big-endian word of up to 32 bytes. */
export function wordFromBytes(bytes: Uint8Array): Word {
  const size = bytes.length;
  if (size < 32) scratch.fill(0, 0, 32 - size);
  scratch.set(bytes, 32 - size);
  return readWord(scratchView, 0);
}

/** Reads the 32 bytes at an offset, of which those behind the end are zero. */
export function wordAt(bytes: Uint8Array, offset: number): Word {
  const size = Math.min(32, bytes.length - offset);
  // Byte by byte: a view of so few costs more than they do.
  for (let at = 0; at < size; at++) scratch[at] = bytes[offset + at] as number;
  if (size < 32) scratch.fill(0, size);
  return readWord(scratchView, 0);
}

/** Reads the 32 bytes at an offset. */
export function readWord(view: DataView, offset: number): Word {
  const high = view.getUint32(offset + 24);
  if (high < 0x200000 && isZero(view, offset)) return high * 0x100000000 + view.getUint32(offset + 28);
  return (
    (((((view.getBigUint64(offset) << 64n) | view.getBigUint64(offset + 8)) << 64n) |
      view.getBigUint64(offset + 16)) <<
      64n) |
    view.getBigUint64(offset + 24)
  );
}

/** Whether the first 24 bytes of a word are zero. */
function isZero(view: DataView, offset: number): boolean {
  return (
    (view.getInt32(offset) | view.getInt32(offset + 4) | view.getInt32(offset + 8)) === 0 &&
    (view.getInt32(offset + 12) | view.getInt32(offset + 16) | view.getInt32(offset + 20)) === 0
  );
}

/** Writes a word into the 32 bytes at an offset. */
export function writeWord(view: DataView, offset: number, word: Word): void {
  if (typeof word === 'number') {
    for (let at = offset; at < offset + 24; at += 4) view.setInt32(at, 0);
    view.setUint32(offset + 24, word / 0x100000000);
    view.setUint32(offset + 28, word);
    return;
  }
  view.setBigUint64(offset, word >> 192n);
  view.setBigUint64(offset + 8, word >> 128n);
  view.setBigUint64(offset + 16, word >> 64n);
  view.setBigUint64(offset + 24, word);
}

/** The word in 32 bytes, big-endian. */
export function wordToBytes(word: Word): Uint8Array {
  const bytes = new Uint8Array(32);
  writeWord(new DataView(bytes.buffer), 0, word);
  return bytes;
}

export function wordFromAddress(address: Address): Word {
  return toWord(BigInt(address));
}

/** The address in the low 20 bytes of the word. */
export function addressFromWord(word: Word): Address {
  return `0x${word.toString(16).padStart(40, '0').slice(-40)}` as Address;
}

export function wordFromHash(hash: Hash): Word {
  return toWord(BigInt(hash));
}

export function hashFromWord(word: Word): Hash {
  return `0x${word.toString(16).padStart(64, '0')}` as Hash;
}

const ADDRESS_LIMIT = 2n ** 160n;

/** The low 160 bits, which are what an opcode takes for an address. */
export function addressWord(word: Word): Word {
  if (typeof word === 'number' || word < ADDRESS_LIMIT) return word;
  return toWord(BigInt.asUintN(160, word));
}
