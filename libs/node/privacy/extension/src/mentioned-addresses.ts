import { addressFromBytes, type Address } from '@tetrad/types';

const ADDRESS_BYTES = 20;
const WORD_BYTES = 32;
/** A number this long may be an address that begins with zeros. */
const LEAST_BYTES = 16;

const PUSH1 = 0x60;
const PUSH20 = 0x73;
const PUSH32 = 0x7f;

/**
 * Addresses that a storage word may hold, alone or packed with smaller values: its last 20 bytes, and every other 20 bytes
 * of it that do not begin with two zero bytes.
 * @param value - without leading zeros, 32 bytes at most
 */
export function* addressesInWord(value: Uint8Array): Generator<Address> {
  if (value.length < LEAST_BYTES) return;
  const word = Buffer.alloc(WORD_BYTES);
  word.set(value, WORD_BYTES - value.length);
  const last = WORD_BYTES - ADDRESS_BYTES;
  for (let at = last; at >= 0; at--) {
    if (at < last && word[at] === 0 && word[at + 1] === 0) continue;
    yield addressFromBytes(word.subarray(at, at + ADDRESS_BYTES));
  }
}

/** Addresses among the constants that the code pushes: literals, and immutables, which compilers push as whole words. */
export function* addressesInCode(code: Uint8Array): Generator<Address> {
  for (let at = 0; at < code.length; at++) {
    const opcode = code[at] as number;
    if (opcode < PUSH1 || opcode > PUSH32) continue;
    const end = at + 1 + (opcode - PUSH1 + 1);
    if (opcode >= PUSH20 && end <= code.length)
      yield addressFromBytes(code.subarray(end - ADDRESS_BYTES, end));
    at = end - 1;
  }
}
