import { ARRAY_HEADER_BYTES, arrayWithRoom } from './array-header.js';

/** Type ids by the bytes of an integer: smallint, int and bigint. Source: pg_type.dat of PostgreSQL */
const TYPES = { 2: 21, 4: 23, 8: 20 } as const;

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
    if (width === 8) at = buffer.writeBigInt64BE(BigInt(value), at);
    else at = buffer.writeIntBE(Number(value), at, width);
  }
  return buffer;
}
