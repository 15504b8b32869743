import { ARRAY_HEADER_BYTES, arrayWithRoom } from './array-header.js';

/** Type id of bytea. Source: pg_type.dat of PostgreSQL */
const BYTEA = 17;
const NULL_LENGTH = -1;

/** The values as one parameter of type bytea[], in binary: as text, every byte would take two digits. */
export function byteaArray(values: readonly (Uint8Array | null | undefined)[]): Buffer {
  let size = 0;
  let hasNulls = false;
  for (const value of values) {
    size += 4 + (value?.length ?? 0);
    if (!value) hasNulls = true;
  }
  const buffer = arrayWithRoom(size, { type: BYTEA, length: values.length, hasNulls });
  let at = ARRAY_HEADER_BYTES;
  for (const value of values) {
    at = buffer.writeInt32BE(value?.length ?? NULL_LENGTH, at);
    if (!value) continue;
    buffer.set(value, at);
    at += value.length;
  }
  return buffer;
}
