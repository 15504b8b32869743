/** The same bytes as a buffer: the driver writes elements of an array as bytea only if they are buffers. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The same for a column that may be null. */
export function asBufferOrNull(bytes: Uint8Array | undefined): Buffer | null {
  return bytes === undefined ? null : asBuffer(bytes);
}
