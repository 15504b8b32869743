/** Type id of bytea. Source: pg_type.dat of PostgreSQL */
const BYTEA = 17;
const HEADER_BYTES = 20;
const NULL_LENGTH = -1;

/**
 * The values as one parameter of type bytea[]: the driver sends a buffer as it is, in binary, where it would write an
 * array as text with two digits for every byte.
 *
 * Layout: dimensions (4), 1 or 0 when empty; has nulls (4); type of elements (4); elements (4); first index (4), 1; then
 * each as length (4), -1 for null, and bytes. Source: array_send in arrayfuncs.c of PostgreSQL
 */
export function byteaArray(values: readonly (Uint8Array | null | undefined)[]): Buffer {
  let size = HEADER_BYTES;
  let hasNulls = 0;
  for (const value of values) {
    size += 4 + (value?.length ?? 0);
    if (!value) hasNulls = 1;
  }
  if (values.length === 0) return headerOf(HEADER_BYTES - 8, 0, 0);
  const buffer = headerOf(size, 1, hasNulls);
  buffer.writeInt32BE(values.length, 12);
  buffer.writeInt32BE(1, 16);
  let at = HEADER_BYTES;
  for (const value of values) {
    at = buffer.writeInt32BE(value?.length ?? NULL_LENGTH, at);
    if (!value) continue;
    buffer.set(value, at);
    at += value.length;
  }
  return buffer;
}

function headerOf(size: number, dimensions: 0 | 1, hasNulls: number): Buffer {
  const buffer = Buffer.allocUnsafe(size);
  buffer.writeInt32BE(dimensions, 0);
  buffer.writeInt32BE(hasNulls, 4);
  buffer.writeInt32BE(BYTEA, 8);
  return buffer;
}
