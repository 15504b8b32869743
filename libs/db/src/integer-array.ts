import { ARRAY_HEADER_BYTES, arrayWithRoom } from './array-header.js';

/** Type ids by the bytes of an integer: smallint, int and bigint. Source: pg_type.dat of PostgreSQL */
const TYPES = { 2: 21, 4: 23, 8: 20 } as const;

/** What the upper four bytes of eight count. */
const HALF = 2 ** 32;

/**
 * The values as one parameter of type smallint[], int[] or bigint[], in binary.
 * @param width - bytes of an integer
 * @throws RangeError when a value does not fit
 */
export function integerArray(width: keyof typeof TYPES, values: readonly (number | bigint)[]): Buffer {
  const { length } = values;
  const buffer = arrayWithRoom(length * (4 + width), { type: TYPES[width], length, hasNulls: false });
  let at = ARRAY_HEADER_BYTES;
  for (const value of values) {
    at = buffer.writeInt32BE(width, at);
    at = writeInteger(buffer, at, value, width);
  }
  return buffer;
}

/** @returns the offset behind it */
function writeInteger(buffer: Buffer, at: number, value: number | bigint, width: keyof typeof TYPES): number {
  if (width === 2) return buffer.writeInt16BE(Number(value), at);
  if (width === 4) return buffer.writeInt32BE(Number(value), at);
  const number = Number(value);
  if (!Number.isSafeInteger(number)) return buffer.writeBigInt64BE(BigInt(value), at);
  const high = Math.floor(number / HALF);
  return buffer.writeUInt32BE(number - high * HALF, buffer.writeInt32BE(high, at));
}
