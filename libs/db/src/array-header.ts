/** Bytes in front of the elements of an array of one dimension. */
export const ARRAY_HEADER_BYTES = 20;
/** Bytes of an array without elements. */
const EMPTY_ARRAY_BYTES = 12;

/** What the beginning of an array says. */
export interface ArrayHeader {
  /** Type id of the elements. Source: pg_type.dat of PostgreSQL */
  readonly type: number;
  readonly length: number;
  readonly hasNulls: boolean;
}

/**
 * The beginning of an array parameter, with room for its elements. The driver sends a buffer as it is, in binary, where it would
 * write an array as text.
 *
 * Layout: dimensions (4), 1 or 0 when empty; has nulls (4); type of elements (4); elements (4); first index (4), 1; then
 * each as length (4), -1 for null, and bytes. Source: array_send in arrayfuncs.c of PostgreSQL
 *
 * @param bytes - of all elements with their lengths
 */
export function arrayWithRoom(bytes: number, { type, length, hasNulls }: ArrayHeader): Buffer {
  const isEmpty = length === 0;
  const buffer = Buffer.allocUnsafe(isEmpty ? EMPTY_ARRAY_BYTES : ARRAY_HEADER_BYTES + bytes);
  buffer.writeInt32BE(isEmpty ? 0 : 1, 0);
  buffer.writeInt32BE(hasNulls ? 1 : 0, 4);
  buffer.writeInt32BE(type, 8);
  if (isEmpty) return buffer;
  buffer.writeInt32BE(length, 12);
  buffer.writeInt32BE(1, 16);
  return buffer;
}
