import { decodeHex, encodeHex } from './byte-text.js';

/** Text of the form `0x` followed by hex digits; lower case wherever this code base made it. */
export type Hex = `0x${string}`;

const EVEN_HEX = /^0x(?:[0-9a-f]{2})*$/i;

/** Whether the text is `0x` and whole bytes of hex. */
export function isHex(text: string): text is Hex {
  return EVEN_HEX.test(text);
}

/** Lower-case `0x` text of the bytes. */
export function hexFromBytes(bytes: Uint8Array): Hex {
  return `0x${encodeHex(bytes)}`;
}

/**
 * The bytes of `0x` text.
 * @throws TypeError when the text is not whole bytes of hex
 */
export function bytesFromHex(text: string): Uint8Array {
  if (!isHex(text)) throw new TypeError(`not 0x-prefixed hex of whole bytes: ${text.slice(0, 80)}`);
  return decodeHex(text.slice(2));
}

/**
 * The bytes of text that was checked when it became a hash or an address: it is not read by an expression again.
 * @throws TypeError on another number of bytes
 */
export function brandedBytes(text: Hex, length: number): Uint8Array {
  const bytes = decodeHex(text.slice(2));
  if (bytes.length !== length) throw new TypeError(`not 0x and ${length} bytes of hex: ${text.slice(0, 80)}`);
  return bytes;
}

/** Integers below this are exact as numbers; they have at most six bytes. */
const SIX_BYTES = 2 ** 48;

/** Big-endian bytes without leading zeros, as RLP writes a scalar; zero is empty. */
export function bytesFromScalar(value: bigint | number): Uint8Array {
  if (value < SIX_BYTES) return bytesFromNumber(Number(value));
  const digits = value.toString(16);
  return decodeHex(digits.length % 2 === 0 ? digits : `0${digits}`);
}

function bytesFromNumber(value: number): Uint8Array {
  let length = 0;
  for (let rest = value; rest >= 1; rest /= 256) length += 1;
  const bytes = new Uint8Array(length);
  for (let [at, rest] = [length - 1, value]; at >= 0; at--, rest = Math.floor(rest / 256)) bytes[at] = rest;
  return bytes;
}

/** The scalar that big-endian bytes spell; empty is zero. */
export function scalarFromBytes(bytes: Uint8Array): bigint {
  if (bytes.length > 6) return BigInt(hexFromBytes(bytes));
  let value = 0;
  for (const byte of bytes) value = value * 256 + byte;
  return BigInt(value);
}
