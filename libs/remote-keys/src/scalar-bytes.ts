/** A scalar of the group in 32 bytes, big-endian. */
export function scalarBytes(value: bigint): Uint8Array {
  return new Uint8Array(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'));
}
