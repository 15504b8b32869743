/** Lower-case hex digits of the bytes, two for each. */
export const encodeHex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');

/** The bytes of an even number of hex digits; ends where another character comes. */
export const decodeHex = (digits: string): Uint8Array => Buffer.from(digits, 'hex');
