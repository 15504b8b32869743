/**
 * Bytes as a generated client takes them, which knows only memory that no threads share.
 *
 * @param bytes - of any kind
 * @returns the same bytes; a copy only where they are shared
 */
export function clientBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer
    ? new Uint8Array(buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
}
